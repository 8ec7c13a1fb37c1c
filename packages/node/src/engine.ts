import type { Engine } from '@steading/control-plane/ports'
import type { EngineName } from '@steading/api/rules'
import { simulatedEngine } from '@steading/simulator'
import type { ServerConfig } from './config.ts'
import { keepingFree } from './room.ts'
import { fileBlockStore } from './volumes/file-block-store.ts'
import { machinesDirectory, volumesDirectory } from './volumes/names.ts'

/** How each engine is made of the settings; nothing of an engine runs before it is opened. */
const engines: Record<EngineName, (config: ServerConfig) => Promise<Engine>> = {
  async simulated(config) {
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
  },
  async libvirt({ data, libvirt, keepFree }) {
    // Only this engine needs its libraries.
    const { libvirtEngine } = await import('@steading/libvirt')
    return libvirtEngine({
      directory: machinesDirectory(data),
      keepFree,
      ...(libvirt === undefined ? {} : { uri: libvirt }),
    })
  },
}

/** The engine of this host, by its settings. No other module depends on its implementation. */
export const createEngine = (config: ServerConfig): Promise<Engine> =>
  engines[config.engine](config)
