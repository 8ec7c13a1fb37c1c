import { plain, type Probes } from './probe.ts'
import { parents } from './world.ts'

export const auditLogProbes = {
  audit_log_list: { args: () => ({ query: { start_time: '2026-01-01T00:00:00Z' } }) },
  audit_entry_list: plain,
  own_action_list: plain,
  action_list: {
    'of the silo': { args: () => ({}), about: [] },
    'of a project': { args: () => ({ query: parents }), about: ['project'] },
  },
  // The tests of the log check that entries of other silos are not found.
  audit_entry_view: { args: () => ({ params: { entry: crypto.randomUUID() } }), passes: 404 },
  audit_log_export: {
    args: () => ({ query: { format: 'csv', end_time: '2026-01-01T00:00:00Z' } }),
  },
  // The tests of the history check its permissions.
  history_list: {
    args: () => ({ query: { kind: 'disk', id: crypto.randomUUID() } }),
    passes: 404,
  },
} satisfies Partial<Probes>
