import { deletionSentences } from '@steading/api/rules'
import { sql } from 'kysely'
import { relate } from '../deletion/relations.ts'
import type { Its } from '../deletion/things.ts'

relate('instance', {
  kind: 'network_interface',
  relation: 'goes',
  rows: (db) => db.selectFrom('network_interface as its') as unknown as Its,
  pairs: sql`select id, instance_id as owner_id from network_interface`,
  reason: deletionSentences.network_interface,
  detail: sql`coalesce(its.ipv4, its.ipv6)`,
})
