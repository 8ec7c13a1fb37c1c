import type { Engine } from '@steading/control-plane/ports'
import { simulatedEngine, type SimulatedEngines } from '@steading/simulator'
import type { ServerConfig } from './config.ts'
import { keepingFree } from './room.ts'
import { fileBlockStore } from './volumes/file-block-store.ts'
import { volumesDirectory } from './volumes/names.ts'

/** Engines of this host. */
export type HostEngines = SimulatedEngines

/** The engine of this host. No other module depends on its implementation. */
export function createEngine(config: ServerConfig): Engine<HostEngines> {
  const volumes = keepingFree(
    fileBlockStore(volumesDirectory(config.data), { shared: config.databaseUrl !== undefined }),
    config.data,
    config.keepFree,
  )
  return simulatedEngine(volumes, {
    bootMs: config.bootMs,
    stopMs: config.bootMs * (3 / 8),
    rebootMs: config.bootMs * (3 / 4),
  })
}
