import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { OutsideWorld, publicAddress } from "../fakes/outside-world.ts";

let world: OutsideWorld;
beforeEach(async () => {
  world = await OutsideWorld.start();
});
afterEach(() => world.stop());

const refusal = { code: "FETCH_REFUSED" };

describe("T41: a name that changes its address leads nowhere", () => {
  test("a name is asked for once and the connection goes to what it said, though it would say something else now", async () => {
    world.names.set("rebind.example", [[publicAddress], ["127.0.0.1"]]);
    expect(await (await world.fetch("http://rebind.example/")).text()).toBe("Hello.");
    expect(world.lookups).toEqual(["rebind.example"]);
    expect(world.connections).toEqual([`${publicAddress}:80`]);
  });

  test("at the next request the changed address is refused, though a connection is still open", async () => {
    world.names.set("rebind.example", [[publicAddress], ["127.0.0.1"]]);
    await (await world.fetch("http://rebind.example/")).text();
    await expect(world.fetch("http://rebind.example/")).rejects.toMatchObject(refusal);
    expect(world.visits).toHaveLength(1);
  });

  test.each([["10.0.0.1"], ["fd00::1"], ["::ffff:127.0.0.1"], ["fe80::1%eth0"]])(
    "%s among public addresses is enough to refuse",
    async (inner) => {
      for (const mixed of [
        [publicAddress, inner],
        [inner, "2606:4700::1"],
      ]) {
        world.names.set("mixed.example", [mixed]);
        await expect(world.fetch("http://mixed.example/")).rejects.toMatchObject(refusal);
      }
      expect(world.connections).toEqual([]);
    },
  );

  test("a redirect has its name asked for anew, once for each hop", async () => {
    world.names.set("hop.example", [[publicAddress], ["192.168.0.1"]]);
    world.handle = (_, response) => void response.writeHead(302, { location: "http://hop.example/again" }).end();
    await expect(world.fetch("http://hop.example/")).rejects.toMatchObject(refusal);
    expect(world.lookups).toEqual(["hop.example", "hop.example"]);
    expect(world.connections).toEqual([`${publicAddress}:80`]);
  });

  test("a connection that ends up elsewhere is not used", async () => {
    world.remote = "127.0.0.1";
    await expect(world.fetch("http://example.org/")).rejects.toMatchObject(refusal);
    expect(world.visits).toEqual([]);
  });

  test("the second address is tried when the first does not answer, and it was checked like the first", async () => {
    world.names.set("two.example", [["2606:4700::1", publicAddress]]);
    world.unreachable.add("2606:4700::1");
    expect(await (await world.fetch("http://two.example/")).text()).toBe("Hello.");
    expect(world.connections).toEqual(["2606:4700::1:80", `${publicAddress}:80`]);
  });

  test("a proxy in the environment is not used", async () => {
    const { HTTP_PROXY, HTTPS_PROXY, ALL_PROXY } = process.env;
    Object.assign(process.env, { HTTP_PROXY: "http://127.0.0.1:9", HTTPS_PROXY: "http://127.0.0.1:9", ALL_PROXY: "http://127.0.0.1:9" });
    try {
      expect(await (await world.fetch("http://example.org/")).text()).toBe("Hello.");
      expect(world.connections).toEqual([`${publicAddress}:80`]);
    } finally {
      for (const [name, value] of Object.entries({ HTTP_PROXY, HTTPS_PROXY, ALL_PROXY })) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
  });

  test("a name that has no address, or cannot be found, is said", async () => {
    world.names.set("empty.example", [[]]);
    await expect(world.fetch("http://empty.example/")).rejects.toMatchObject({ code: "FETCH_FAILED" });
  });
});
