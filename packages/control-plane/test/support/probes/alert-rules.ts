import { alertRuleBody } from '../alerts.ts'
import { plain, type Probes } from './probe.ts'
import { fresh, parents, server } from './world.ts'

const body = () => alertRuleBody({ name: fresh(), description: '' })
const trial = { query: body().query, comparison: 'above', threshold: 1, duration: 60 } as const
const made = async () => ({
  params: {
    alert_rule: (await server.admin.call('alert_rule_create', { query: parents, body: body() }))
      .name,
  },
  query: parents,
})
const madeOfSystem = async () => ({
  params: {
    alert_rule: (await server.admin.call('system_alert_rule_create', { body: body() })).name,
  },
})

export const alertRulesProbes = {
  alert_rule_search: { args: () => ({ query: parents }) },
  alert_rule_create: { args: () => ({ query: parents, body: body() }) },
  alert_rule_try: { args: () => ({ query: parents, body: trial }) },
  alert_rule_view: { args: made },
  alert_rule_update: { args: async () => ({ ...(await made()), body: { threshold: 2 } }) },
  alert_rule_delete: { args: made },
  alert_rule_series_list: { args: made },
  alert_rule_firing_list: { args: made },
  system_alert_rule_search: plain,
  system_alert_rule_create: { args: () => ({ body: body() }) },
  system_alert_rule_try: { args: () => ({ body: trial }) },
  system_alert_rule_view: { args: madeOfSystem },
  system_alert_rule_update: {
    args: async () => ({ ...(await madeOfSystem()), body: { threshold: 2 } }),
  },
  system_alert_rule_delete: { args: madeOfSystem },
  system_alert_rule_series_list: { args: madeOfSystem },
  system_alert_rule_firing_list: { args: madeOfSystem },
  firing_alert_list: plain,
} satisfies Partial<Probes>
