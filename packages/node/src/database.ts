import { join } from 'node:path'
import type { DatabaseHost } from '@steading/control-plane'
import type { ServerConfig } from './config.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

/** The file of the embedded database; undefined with PostgreSQL. */
export const databasePath = ({
  data,
  databaseUrl,
}: Pick<ServerConfig, 'data' | 'databaseUrl'>): string | undefined =>
  databaseUrl === undefined ? join(data, 'steading.db') : undefined

/**
 * Opens the configured database.
 * @throws StartError if it cannot be opened
 */
export async function openDatabase(config: ServerConfig): Promise<DatabaseHost> {
  return config.databaseUrl === undefined
    ? openSqlite(databasePath(config)!, config)
    : openPostgres(config.databaseUrl)
}
