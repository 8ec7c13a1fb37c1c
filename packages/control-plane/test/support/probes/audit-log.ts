import { plain, type Probes } from './probe.ts'

export const auditLogProbes = {
  audit_log_list: { args: () => ({ query: { start_time: '2026-01-01T00:00:00Z' } }) },
  audit_entry_list: plain,
  // That entries of other silos are not found is checked by the tests of the log.
  audit_entry_view: { args: () => ({ params: { entry: crypto.randomUUID() } }), passes: 404 },
  audit_log_export: {
    args: () => ({ query: { format: 'csv', end_time: '2026-01-01T00:00:00Z' } }),
  },
  // What the history of a thing takes is checked by its tests.
  history_list: {
    args: () => ({ query: { kind: 'disk', id: crypto.randomUUID() } }),
    passes: 404,
  },
} satisfies Partial<Probes>
