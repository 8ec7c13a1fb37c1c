/**
 * Keeps chains of layers short, in the background: a layer in the middle of a long chain gets all
 * bytes of those below it. It is never written to any more, and its content stays the same, so
 * whoever has it open, guests as well, is not disturbed.
 */
import { type OpenDatabase, onlyHere } from '@steading/control-plane/engine'
import { type Log, NoSpaceError } from '@steading/control-plane/ports'
import type { LayerFiles } from './layer-files.ts'
import type { LayerRow, Rows } from './rows.ts'

/** Layers of a chain that is left alone. */
export const CHAIN_MAX = 8

interface Parts {
  database: OpenDatabase
  log: Log
  rows: Rows
  files: LayerFiles
  /**
   * Bytes that can still be written to a storage pool.
   * @throws UnusablePoolError
   */
  room: (poolId: string | null) => Promise<number>
}

/** The topmost layers of the chains that are too long, from all layers. */
export function tooLong(layers: readonly Pick<LayerRow, 'id' | 'parent_id'>[]): string[] {
  const parents = new Map(layers.map(({ id, parent_id: parent }) => [id, parent]))
  const depths = new Map<string, number>()
  const depthOf = (id: string): number => {
    const path: string[] = []
    let at: string | null | undefined = id
    while (typeof at === 'string' && !depths.has(at)) {
      path.push(at)
      at = parents.get(at)
    }
    let depth = typeof at === 'string' ? depths.get(at)! : 0
    for (const each of path.toReversed()) depths.set(each, ++depth)
    return depths.get(id)!
  }
  const below = new Set(parents.values())
  return layers.filter(({ id }) => !below.has(id) && depthOf(id) > CHAIN_MAX).map(({ id }) => id)
}

export function createFlattener({ database, log, rows, files, room }: Parts) {
  const waiting = new Set<string>()
  let running: Promise<void> | undefined
  let ending = new AbortController()

  async function flatten(layerId: string, below: readonly string[]): Promise<boolean> {
    const { pool_id: pool } = await rows.layer(layerId)
    if ((await room(pool)) < (await files.bytes([layerId, ...below]))) {
      throw new NoSpaceError(`there is no room to shorten the chain of layer ${layerId}`)
    }
    return onlyHere(database, `libvirt-flatten-${layerId}`, async () => {
      await files.flatten(layerId, ending.signal)
      const { exists, unneeded } = await rows.flattened(layerId)
      await files.remove(exists ? unneeded : [layerId])
    })
  }

  /** Shortens the chain of a layer. */
  async function shorten(topId: string): Promise<void> {
    for (;;) {
      const chain = await rows.chain(topId)
      if (chain.length <= CHAIN_MAX) return
      // The topmost layer that may stay on those below it: the ones above then count from it.
      const at = chain.length - CHAIN_MAX
      // Another server is at it, and also goes on to the rest of the chain.
      if (!(await flatten(chain[at]!, chain.slice(at + 1)))) return
    }
  }

  async function run(): Promise<void> {
    // So that `running` is set before it ends.
    await Promise.resolve()
    for (const topId of waiting) {
      waiting.delete(topId)
      if (ending.signal.aborted) break
      await shorten(topId).catch((error: unknown) => {
        if (ending.signal.aborted) return
        log('a chain of layers stays long', error)
      })
    }
    // In the same turn as the last look, so that no later chain is overlooked.
    running = undefined
  }

  return {
    /** Shortens the chain below a layer, now or later, if it is too long. */
    look(topId: string): void {
      waiting.add(topId)
      running ??= run()
    },
    /** Looks at all layers. */
    async start(): Promise<void> {
      ending = new AbortController()
      for (const id of tooLong(await rows.layers())) this.look(id)
    },
    /** Waits until no chain waits to be shortened. */
    async idle(): Promise<void> {
      while (running) await running
    },
    async close(): Promise<void> {
      ending.abort()
      waiting.clear()
      await running
    },
  }
}
