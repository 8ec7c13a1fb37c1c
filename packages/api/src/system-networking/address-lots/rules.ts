/** Rules of address lots, their blocks, and the users of their addresses (control plane 10.2). */
import {
  addressBits,
  formatAddress,
  formatNetwork,
  type IpVersion,
  lastAddress,
  networkAddress,
  parseAddress,
  parseNetwork,
} from '../../rules/ip.ts'
import { firstIndex } from '../../rules/lists.ts'

/** Maximum number of blocks of a lot. */
export const ADDRESS_LOT_BLOCKS_MAX = 1024

/** A block including both ends, in wire format. */
export interface AddressBlock {
  first_address: string
  last_address: string
}

export const addressLotMessages = {
  families: 'Block bounds must be in same address family',
  order: 'Invalid range, first must be <= last',
  /** Form warning. */
  overlap: (a: AddressBlock, b: AddressBlock) =>
    `Blocks ${blockText(a)} and ${blockText(b)} overlap`,
  twice: (block: string) => `${block} is in the list already`,
  tooMany: `An address lot may have at most ${ADDRESS_LOT_BLOCKS_MAX} blocks`,
  inUse: 'lot is in use',
  unavailable: 'address unavailable',
  notInLot: 'address not in lot',
} as const

export const blockText = ({ first_address, last_address }: AddressBlock): string =>
  first_address === last_address ? first_address : `${first_address}-${last_address}`

/** Problem with a block by itself; both ends are valid addresses. */
export function blockProblem({ first_address, last_address }: AddressBlock): string | undefined {
  const [first, last] = [parseAddress(first_address)!, parseAddress(last_address)!]
  if (first.version !== last.version) return addressLotMessages.families
  return first.value > last.value ? addressLotMessages.order : undefined
}

/** A block in the spelling of answers. */
export const canonicalBlock = ({ first_address, last_address }: AddressBlock): AddressBlock => ({
  first_address: formatAddress(parseAddress(first_address)!),
  last_address: formatAddress(parseAddress(last_address)!),
})

/** Reason that a lot cannot have some blocks; undefined if it can. */
export function blocksProblem(blocks: readonly AddressBlock[]): string | undefined {
  if (blocks.length > ADDRESS_LOT_BLOCKS_MAX) return addressLotMessages.tooMany
  for (const block of blocks) {
    const problem = blockProblem(block)
    if (problem) return problem
  }
  return undefined
}

/**
 * Warning about two blocks of a lot that overlap. The contract permits it; an address in several
 * blocks counts as one of the block that begins first.
 * @param blocks without problems
 */
export function blocksWarning(blocks: readonly AddressBlock[]): string | undefined {
  const inOrder = blocks
    .map((block) => ({
      block,
      first: parseAddress(block.first_address)!,
      last: parseAddress(block.last_address)!,
    }))
    .toSorted((a, b) =>
      a.first.version === b.first.version
        ? Number(a.first.value > b.first.value) - Number(a.first.value < b.first.value)
        : a.first.version.localeCompare(b.first.version),
    )
  for (const [index, { block, first }] of inOrder.entries()) {
    const before = inOrder[index - 1]
    if (before && before.first.version === first.version && before.last.value >= first.value) {
      return addressLotMessages.overlap(canonicalBlock(before.block), canonicalBlock(block))
    }
  }
  return undefined
}

/** Number of addresses in a block. */
export const blockSize = ({ first_address, last_address }: AddressBlock): bigint =>
  parseAddress(last_address)!.value - parseAddress(first_address)!.value + 1n

/** Whether all addresses of a network are in a block. */
export function blockHasNetwork(block: AddressBlock, network: string): boolean {
  const net = parseNetwork(network)
  const [first, last] = [parseAddress(block.first_address)!, parseAddress(block.last_address)!]
  return (
    net !== undefined &&
    net.version === first.version &&
    networkAddress(net).value >= first.value &&
    lastAddress(net).value <= last.value
  )
}

/**
 * Finds the block that has all addresses of a network, among many blocks and for many networks. Of
 * several such blocks, it is the one that ends last.
 */
export function blockFinder<Block extends AddressBlock>(
  blocks: readonly Block[],
): (network: string) => Block | undefined {
  const inOrder = blocks
    .map((block) => ({
      block,
      first: parseAddress(block.first_address)!,
      last: parseAddress(block.last_address)!.value,
    }))
    .toSorted((a, b) => (a.first.value < b.first.value ? -1 : 1))
  const byVersion: Record<IpVersion, typeof inOrder> = { v4: [], v6: [] }
  for (const span of inOrder) {
    const spans = byVersion[span.first.version]
    const before = spans.at(-1)
    // Each span stands for all that begin before it, so it has the block of them that ends last.
    spans.push(before && before.last > span.last ? { ...before, first: span.first } : span)
  }
  return (network) => {
    const net = parseNetwork(network)
    if (!net) return undefined
    const spans = byVersion[net.version]
    const begin = networkAddress(net).value
    const found = spans[firstIndex(spans, ({ first }) => first.value > begin) - 1]
    return found && lastAddress(net).value <= found.last ? found.block : undefined
  }
}

/** An address with its prefix length, `192.0.2.1/32`; undefined if the length is invalid. */
export function addressWithMask(address: string, mask: number): string | undefined {
  const parsed = parseAddress(address)
  return parsed && mask <= addressBits[parsed.version]
    ? formatNetwork({ ...parsed, width: mask })
    : undefined
}
