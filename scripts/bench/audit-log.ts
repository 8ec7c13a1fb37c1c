import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { entryId } from '../../packages/control-plane/src/kernel/audit/entry-id.ts'
import { figuresText } from './figures.ts'
import { serialLoad, watchOthers } from './requests.ts'

const ENTRIES = 1_000_000
const DAY_MS = 86_400_000
const DAYS = 90
const operations = ['disk_create', 'disk_delete', 'instance_start', 'instance_stop', 'login_local']
const agent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

/** Writes many audit log entries of 90 days into the database; the host must not be running. */
export function seedAuditLog(data: string, entries = ENTRIES): void {
  const db = new DatabaseSync(join(data, 'steading.db'))
  const user = db.prepare('select id, silo_id from silo_user').get() as Record<string, string>
  const insert = db.prepare(
    `insert into audit_log (time_completed, id, time_started, request_id, request_uri, operation_id,
       source_ip, user_agent, auth_method, actor_kind, actor_id, actor_name, actor_silo_id, silo_id,
       target_kind, target_id, target_name, result, status, error_message)
     values (:time, :id, :time, :request, '/v1/disks', :operation, :ip, :agent, 'session_cookie',
       'silo_user', :user, 'admin', :silo, :silo, 'disk', :target, :name, :result, :status, :message)`,
  )
  const began = Date.now()
  db.exec('begin')
  for (let index = 0; index < entries; index++) {
    const time = new Date(began - ((entries - index) * DAYS * DAY_MS) / entries)
    const refused = index % 20 === 0
    insert.run({
      time: time.toISOString(),
      id: entryId(time),
      request: randomUUID(),
      operation: operations[index % operations.length]!,
      ip: `10.0.${(index >> 8) & 255}.${index & 255}`,
      agent,
      user: user.id!,
      silo: user.silo_id!,
      target: randomUUID(),
      name: `disk-${index}`,
      result: refused ? 'error' : 'success',
      status: refused ? 403 : 201,
      message: refused ? 'Forbidden' : null,
    })
  }
  db.exec('commit')
  db.exec('analyze')
  db.close()
}

/** Pages of the audit log, and the latency of other calls meanwhile. */
export async function auditLogFigures(url: string, cookie: string): Promise<void> {
  const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()
  const newest = 'sort_by=time_completed_descending'
  const asks = {
    'the API, from a time on': `/v1/system/audit-log?start_time=${ago(45)}`,
    'a day': `/x/v1/audit-log?start_time=${ago(45)}&end_time=${ago(44)}`,
    'the newest of all': `/x/v1/audit-log?${newest}`,
    'refused ones': `/x/v1/audit-log?${newest}&result=error`,
    'search that few match': `/x/v1/audit-log?${newest}&search=77777`,
    'search that none matches, a day': `/x/v1/audit-log?start_time=${ago(1)}&search=nobody`,
    'search that none matches, all days': '/x/v1/audit-log?search=nobody',
  }
  console.log(`\n50 of ${ENTRIES} entries of the audit log      p50      p99   others wait`)
  for (const [name, path] of Object.entries(asks)) {
    const others = watchOthers(url)
    const load = await serialLoad(`${url}${path}&limit=50`, cookie)
    console.log(figuresText(name, load, (await others()).p99))
  }
}
