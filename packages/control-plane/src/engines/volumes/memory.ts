import type { BlockStore, Extent } from '../../kernel/ports/block-store.ts'
import { Extents } from './extents.ts'

const BLOCK = 64 * 1024

interface Volume {
  /** Number → block. Blocks are never changed, only replaced, so that copies can share them. */
  blocks: Map<number, Uint8Array>
  written: Extents
}

/** The bytes of a volume: its blocks that are not all zeros, and the extents written to it. */
export interface VolumeContents {
  id: string
  blocks: [number: number, bytes: Uint8Array][]
  written: Extent[]
}

export interface MemoryBlockStore extends BlockStore {
  contents: () => VolumeContents[]
}

/**
 * A block store in memory, for hosts without persistent storage. Only blocks that are not all zeros
 * take memory.
 * @param contents of another store of this kind, for a copy of it
 */
export function memoryBlockStore(contents: readonly VolumeContents[] = []): MemoryBlockStore {
  const volumes = new Map(
    contents.map(({ id, blocks, written: extents }): [string, Volume] => {
      const written = new Extents()
      for (const { offset, length } of extents) written.add(offset, length)
      return [id, { blocks: new Map(blocks), written }]
    }),
  )

  /** The blocks touched by an extent: number, offset in the block, offset in the extent, length. */
  function* pieces(offset: number, length: number) {
    for (let done = 0; done < length;) {
      const inBlock = (offset + done) % BLOCK
      const size = Math.min(BLOCK - inBlock, length - done)
      yield { block: Math.floor((offset + done) / BLOCK), inBlock, done, size }
      done += size
    }
  }

  return {
    contents: () =>
      [...volumes].map(([id, { blocks, written }]) => ({
        id,
        blocks: [...blocks],
        written: written.list(),
      })),
    async open() {},
    async close() {},
    async list() {
      return [...volumes.keys()]
    },
    async has(id) {
      return volumes.has(id)
    },
    async write(id, offset, data) {
      let volume = volumes.get(id)
      if (!volume) volumes.set(id, (volume = { blocks: new Map(), written: new Extents() }))
      for (const { block, inBlock, done, size } of pieces(offset, data.length)) {
        const fresh = volume.blocks.get(block)?.slice() ?? new Uint8Array(BLOCK)
        fresh.set(data.subarray(done, done + size), inBlock)
        if (fresh.some((byte) => byte !== 0)) volume.blocks.set(block, fresh)
        else volume.blocks.delete(block)
      }
      volume.written.add(offset, data.length)
    },
    async read(id, offset, length) {
      const data = new Uint8Array(length)
      const blocks = volumes.get(id)?.blocks
      if (!blocks) return data
      for (const { block, inBlock, done, size } of pieces(offset, length)) {
        const stored = blocks.get(block)
        if (stored) data.set(stored.subarray(inBlock, inBlock + size), done)
      }
      return data
    },
    check: async () => [],
    async written(id) {
      return volumes.get(id)?.written.list() ?? []
    },
    async seal(id) {
      const volume = volumes.get(id)
      if (volume) volume.written = new Extents()
    },
    async copy(from, to) {
      if (volumes.has(to)) return true
      const source = volumes.get(from)
      if (!source) return false
      volumes.set(to, { blocks: new Map(source.blocks), written: new Extents() })
      return true
    },
    async remove(id) {
      volumes.delete(id)
    },
  }
}
