import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { isPublicAddress } from "../../src/safe-fetch/public-address.ts";
import { OutsideWorld } from "../fakes/outside-world.ts";

let world: OutsideWorld;
beforeAll(async () => {
  world = await OutsideWorld.start({ internalOrigins: ["http://internal.example:9000"] });
});
afterAll(() => world.stop());

describe("T40: no way to write an address leads inside", () => {
  test.each([
    ["loopback", "http://127.0.0.1/"],
    ["loopback, another one", "http://127.8.9.1/"],
    ["loopback, short", "http://127.1/"],
    ["loopback, decimal", "http://2130706433/"],
    ["loopback, hexadecimal", "http://0x7f000001/"],
    ["loopback, hexadecimal parts", "http://0x7f.0x0.0x0.0x1/"],
    ["loopback, octal", "http://017700000001/"],
    ["loopback, octal parts", "http://0177.0.0.01/"],
    ["loopback, full-width digits", "http://１２７.０.０.１/"],
    ["loopback, circled digits and dots", "http://①②⑦｡⓪｡⓪｡①/"],
    ["loopback, escaped", "http://%31%32%37.0.0.1/"],
    ["loopback with a final dot", "http://127.0.0.1./"],
    ["loopback with back slashes", "http:\\\\127.0.0.1\\"],
    ["loopback with blanks and line ends", "  ht\ntp://127.0.0.1/ "],
    ["loopback without slashes", "http:127.0.0.1"],
    ["this machine", "http://0/"],
    ["this machine, long", "http://0.0.0.0/"],
    ["private, 10", "http://10.0.0.1/"],
    ["private, 172", "http://172.16.5.4/"],
    ["private, 192", "http://192.168.1.1/"],
    ["a provider's inner network", "http://100.64.0.1/"],
    ["link-local", "http://169.254.1.1/"],
    ["a cloud's metadata", "http://169.254.169.254/latest/meta-data/"],
    ["a cloud's metadata, decimal", "http://2852039166/"],
    ["Azure's metadata", "http://168.63.129.16/"],
    ["Alibaba's metadata", "http://100.100.100.200/"],
    ["benchmark", "http://198.18.0.1/"],
    ["documentation", "http://203.0.113.5/"],
    ["multicast", "http://224.0.0.251/"],
    ["reserved", "http://240.0.0.1/"],
    ["broadcast", "http://255.255.255.255/"],
    ["IPv6 loopback", "http://[::1]/"],
    ["IPv6 loopback, long", "http://[0:0:0:0:0:0:0:1]/"],
    ["IPv6 unspecified", "http://[::]/"],
    ["IPv4-mapped", "http://[::ffff:127.0.0.1]/"],
    ["IPv4-mapped, hexadecimal", "http://[::ffff:7f00:1]/"],
    ["IPv4-mapped metadata", "http://[::ffff:a9fe:a9fe]/"],
    ["IPv4-compatible", "http://[::127.0.0.1]/"],
    ["NAT64", "http://[64:ff9b::a9fe:a9fe]/"],
    ["NAT64, local", "http://[64:ff9b:1::a00:1]/"],
    ["6to4", "http://[2002:a9fe:a9fe::]/"],
    ["Teredo", "http://[2001:0:a9fe:a9fe::]/"],
    ["IPv6 documentation", "http://[2001:db8::1]/"],
    ["IPv6 documentation, new", "http://[3fff::1]/"],
    ["unique local", "http://[fd00::1]/"],
    ["AWS metadata in IPv6", "http://[fd00:ec2::254]/"],
    ["IPv6 link-local", "http://[fe80::1]/"],
    ["IPv6 link-local with a zone", "http://[fe80::1%25eth0]/"],
    ["site-local", "http://[fec0::1]/"],
    ["IPv6 multicast", "http://[ff02::1]/"],
    ["discard", "http://[100::1]/"],
    ["another scheme", "ftp://example.org/"],
    ["a file", "file:///etc/passwd"],
    ["data", "data:text/html,hello"],
    ["a script", "javascript:alert(1)"],
    ["gopher", "gopher://127.0.0.1:6379/_INFO"],
    ["a user's name", "https://ok.example@evil.example/"],
    ["a password", "https://a:b@example.org/"],
    ["a database's port", "http://example.org:5432/"],
    ["a cache's port", "http://example.org:6379/"],
    ["a port of the operator's list on another host", "http://example.org:9000/"],
    ["nothing", ""],
    ["no address", "example.org"],
    ["half an address", "http://"],
  ])("%s: %s is refused before anything is connected", async (_, url) => {
    const before = world.connections.length;
    await expect(world.fetch(url)).rejects.toMatchObject({ code: "FETCH_REFUSED" });
    // A name set by an administrator is held to the same rules.
    await expect(world.fetch(url, { configured: true })).rejects.toMatchObject({ code: "FETCH_REFUSED" });
    expect(world.connections).toHaveLength(before);
  });

  test.each([["localhost"], ["LOCALHOST."], ["metadata.google.internal"]])("%s: a name that leads inside is refused", async (name) => {
    world.names.set(name.toLowerCase(), [["169.254.169.254"]]);
    const before = world.connections.length;
    await expect(world.fetch(`http://${name}/`)).rejects.toMatchObject({ code: "FETCH_REFUSED" });
    expect(world.connections).toHaveLength(before);
  });

  test.each(["http://8.8.8.8/", "http://[2606:4700:4700::1111]/", "https://example.org/", "http://example.org:443/", "http://134744072/"])(
    "%s is public and is fetched",
    async (url) => {
      expect(await (await world.fetch(url)).text()).toBe("Hello.");
    },
  );

  test("what a resolver gives in other forms is judged as well", () => {
    for (const address of ["fe80::1%eth0", "2606:4700::1%eth0", "::ffff:8.8.8.8", "8.8.8", "", "localhost"])
      expect([address, isPublicAddress(address)]).toEqual([address, false]);
    for (const address of ["1.1.1.1", "100.63.255.255", "172.32.0.1", "223.255.255.254", "2a00:1450::1"])
      expect([address, isPublicAddress(address)]).toEqual([address, true]);
  });
});
