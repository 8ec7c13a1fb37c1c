/** Communities of BGP as FRR writes them. */

/** Those with a name (IANA, well-known communities) in FRR's spelling. */
const names = new Map([
  [0xffff_0000, 'graceful-shutdown'],
  [0xffff_0001, 'accept-own'],
  [0xffff_0002, 'route-filter-translated-v4'],
  [0xffff_0003, 'route-filter-v4'],
  [0xffff_0004, 'route-filter-translated-v6'],
  [0xffff_0005, 'route-filter-v6'],
  [0xffff_0006, 'llgr-stale'],
  [0xffff_0007, 'no-llgr'],
  [0xffff_0008, 'accept-own-nexthop'],
  [0xffff_029a, 'blackhole'],
  [0xffff_ff01, 'no-export'],
  [0xffff_ff02, 'no-advertise'],
  [0xffff_ff03, 'local-AS'],
  [0xffff_ff04, 'no-peer'],
])

/** Communities in the order in which FRR sorts them. */
export const communitiesText = (communities: readonly number[]): string =>
  [...new Set(communities)]
    .toSorted((a, b) => a - b)
    .map((one) => names.get(one) ?? `${Math.floor(one / 65_536)}:${one % 65_536}`)
    .join(' ')
