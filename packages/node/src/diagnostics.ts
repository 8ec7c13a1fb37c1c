import { release, hostname, totalmem, freemem, loadavg } from 'node:os'
import type { Diagnostics } from '@steading/control-plane/ports'
import { freeBytes } from '@steading/files'
import { options, type ServerConfig } from './config.ts'
import type { LogTail } from './log-tail.ts'
import { shownDatabaseUrl } from './postgres-hosts.ts'

/** A URL without its password. */
function withoutPassword(url: string): string {
  const shown = new URL(url)
  shown.password = ''
  return shown.href
}

/** Data of this server in support bundles. */
export function createDiagnostics(config: ServerConfig, log: LogTail): Diagnostics {
  const started = new Date()
  return {
    versions: () => ({
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
      system: release(),
    }),
    // Listed explicitly: settings added later may be secret.
    configuration: () => ({
      port: config.port,
      host: config.host,
      tls_port: config.tlsPort,
      data: config.data,
      database: config.databaseUrl ? shownDatabaseUrl(config.databaseUrl) : 'embedded',
      zones: config.zones,
      behind_proxy: config.trustedProxies !== undefined || config.proxySocket !== undefined,
      outgoing_proxy: config.outgoingProxy !== undefined,
      keep_free: config.keepFree,
      forward_address: config.forwardAddress,
      extensions: config.extensions,
      collection: config.collects ?? false,
      multicast: config.multicast,
      log: config.log,
      time_series: config.metricsUrl ? withoutPassword(config.metricsUrl) : 'embedded',
      metrics_raw_ms: config.metricsRawMs,
      metrics_keep_ms: config.metricsKeepMs,
      boot_ms: config.bootMs,
      session_idle_ms: config.sessionIdleMs,
      session_absolute_ms: config.sessionAbsoluteMs,
      auto_restart_cooldown_ms: config.autoRestartCooldownMs,
      password_cost: config.passwordCost,
      password_min: config.passwordMin,
      variables: options.map(({ env }) => env).filter((name) => process.env[name] !== undefined),
    }),
    async status() {
      return {
        hostname: hostname(),
        pid: process.pid,
        started: started.toISOString(),
        memory: process.memoryUsage(),
        system_memory: { total: totalmem(), free: freemem() },
        load: loadavg(),
        cpu: process.cpuUsage(),
        free_in_data_directory: await freeBytes(config.data),
      }
    },
    log: log.parts,
  }
}
