import { NodeSqlite } from '../../../node/src/sqlite.ts'

/** Makes SQLite refuse empty lists, as PostgreSQL does: most tests run over SQLite alone. */
export function refuseEmptyLists(): void {
  const { prepare } = NodeSqlite.prototype
  NodeSqlite.prototype.prepare = function (sql) {
    if (/\bin \(\s*\)/i.test(sql)) throw new Error(`PostgreSQL has no empty lists: ${sql}`)
    return prepare.call(this, sql)
  }
}
