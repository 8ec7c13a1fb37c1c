import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { findProgram } from '../../../control-plane/test/support/programs.ts'

/** Where Debian installs each version of PostgreSQL. */
export const installed = '/usr/lib/postgresql'

/** The reason why there can be no Patroni cluster; undefined if there can. */
export function patroniMissing(): string | undefined {
  for (const command of ['patroni', 'etcd']) {
    if (spawnSync(command, ['--version']).status !== 0) return `${command} is not installed`
  }
  return existsSync(installed) ? undefined : 'PostgreSQL is not installed'
}

/** HAProxy, which some installations have before PostgreSQL; undefined if it is not installed. */
export const haproxy = findProgram('haproxy', 'STEADING_HAPROXY', ['/usr/sbin'])
