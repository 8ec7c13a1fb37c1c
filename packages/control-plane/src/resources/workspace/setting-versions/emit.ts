import { FLEET_ID, type KindName, type SettingName, versionedSettings } from '@steading/api/rules'
import type { Located } from '../../../kernel/lookup.ts'
import type { Work } from '../../../kernel/work.ts'

/** Settings whose events are not about the resource that they belong to. */
const eventKinds: Partial<Record<SettingName, KindName>> = {
  firewall_rules: 'vpc_firewall_rule',
  project_policy: 'policy',
  silo_policy: 'policy',
  fleet_policy: 'policy',
}

/** Emits the event of a change that only versions show. */
export async function emitVersion(
  { emit }: Pick<Work, 'emit'>,
  setting: SettingName,
  located: Located | undefined,
): Promise<void> {
  const kind = eventKinds[setting] ?? versionedSettings[setting].of
  if (!located) return emit(kind, 'update', { id: FLEET_ID, name: 'fleet' })
  const { row, scope } = located
  await emit(kind, 'update', {
    id: row.id,
    name: String(row.name ?? ''),
    silo_id: scope.siloId ?? null,
    project_id: scope.projectId ?? null,
  })
}
