import { BlockList, isIP } from "node:net";

/**
 * Special-purpose blocks of IPv4 (IANA's registry): everything else is on the public internet. The last two are the metadata services
 * of clouds that sit on a public address, and of Alibaba within the shared block.
 */
const specialV4 = blocks("ipv4", [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
  ["168.63.129.16", 32],
  ["100.100.100.200", 32],
]);

/** The only block of IPv6 that is routed; addresses that hold an IPv4 address (mapped, NAT64) are outside of it. */
const globalV6 = blocks("ipv6", [["2000::", 3]]);

/** Within it: protocol assignments (Teredo, ORCHID), documentation, 6to4, and the direct delegation of AS112. */
const specialV6 = blocks("ipv6", [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["2620:4f:8000::", 48],
  ["3fff::", 20],
]);

/** Whether an address, as a resolver or a parsed URL gives it, leads to the public internet. What cannot be judged does not. */
export function isPublicAddress(address: string): boolean {
  // A zone names an interface of this machine, so it is never a public place.
  if (address.includes("%")) return false;
  switch (isIP(address)) {
    case 4:
      return !specialV4.check(address, "ipv4");
    case 6:
      return globalV6.check(address, "ipv6") && !specialV6.check(address, "ipv6");
    default:
      return false;
  }
}

function blocks(family: "ipv4" | "ipv6", subnets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, family);
  return list;
}
