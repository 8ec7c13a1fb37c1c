import type { Probes } from './probe.ts'

const params = () => ({ setting: 'firewall_rules' as const, thing: crypto.randomUUID() })
const first = () => ({ ...params(), version: '1' })

/** The tests of versions check settings of each kind. */
export const settingVersionsProbes = {
  setting_version_list: { args: () => ({ params: params() }), passes: 404 },
  setting_version_view: { args: () => ({ params: first() }), passes: 404 },
  setting_version_restore: { args: () => ({ params: first(), body: { latest: 1 } }), passes: 404 },
  setting_version_reason_update: {
    args: () => ({ params: first(), body: { reason: 'Ask first' } }),
    passes: 404,
  },
} satisfies Partial<Probes>
