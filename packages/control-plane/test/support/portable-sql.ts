/**
 * Refuses SQL that SQLite runs and PostgreSQL does not, because most tests run over SQLite alone.
 * Imported for this effect.
 */
import { NodeSqlite } from '../../../node/src/sqlite.ts'

const { prepare } = NodeSqlite.prototype

NodeSqlite.prototype.prepare = function (sql) {
  if (/\bin \(\s*\)/i.test(sql)) throw new Error(`PostgreSQL has no empty lists: ${sql}`)
  return prepare.call(this, sql)
}
