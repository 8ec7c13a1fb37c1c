import { PASSWORD_MIN } from '@steading/api/rules'
import { BlockList } from 'node:net'
import { defaultConfig, type ServerConfig } from '../../src/config.ts'

/** Configuration of a server that shares a database, and only collects on command. */
export function collectorConfig(data: string, databaseUrl: string): ServerConfig {
  const webhookNetworks = new BlockList()
  webhookNetworks.addAddress('127.0.0.1')
  return {
    ...defaultConfig(),
    engine: 'simulated',
    port: 0,
    keepFree: 0,
    data,
    databaseUrl,
    webhookNetworks,
    collects: false,
    adminPassword: 'a collector of samples',
    passwordCost: { memoryKiB: 1024, passes: 1 },
    passwordMin: PASSWORD_MIN,
  }
}
