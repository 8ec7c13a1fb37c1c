import { addAlert, addReceiver, PSU_REMOVED } from '../alerts.ts'
import { plain, type Probes } from './probe.ts'
import { fresh, server } from './world.ts'

const freshReceiver = () => addReceiver(server, fresh())
const aboutFresh = async () => ({ params: { receiver: (await freshReceiver()).name } })
/** A public address, which creating a receiver does not connect to. */
const endpoint = 'https://1.1.1.1/hook'

export const alertsProbes = {
  alert_class_list: plain,
  alert_list: plain,
  alert_search: plain,
  alert_view: { args: async () => ({ params: { alert_id: await addAlert(server) } }) },
  alert_delivery_resend: {
    args: async () => ({
      params: { alert_id: await addAlert(server) },
      query: { receiver: (await freshReceiver()).name },
    }),
  },
  alert_receiver_list: plain,
  alert_receiver_search: plain,
  alert_receiver_view: { args: aboutFresh },
  alert_receiver_delete: { args: aboutFresh },
  alert_receiver_subscription_add: {
    args: async () => ({ ...(await aboutFresh()), body: { subscription: 'hardware.**' } }),
  },
  alert_receiver_subscription_remove: {
    args: async () => ({
      params: { receiver: (await freshReceiver()).name, subscription: PSU_REMOVED },
    }),
  },
  alert_delivery_list: { args: aboutFresh },
  alert_delivery_search: plain,
  alert_receiver_probe: { args: aboutFresh },
  webhook_receiver_create: {
    args: () => ({
      body: { name: fresh(), description: '', endpoint, secrets: ['sesame'], subscriptions: [] },
    }),
  },
  webhook_receiver_update: { args: async () => ({ ...(await aboutFresh()), body: {} }) },
  webhook_secrets_list: {
    args: async () => ({ query: { receiver: (await freshReceiver()).name } }),
  },
  webhook_secrets_add: {
    args: async () => ({
      query: { receiver: (await freshReceiver()).name },
      body: { secret: 'open' },
    }),
  },
  webhook_secrets_delete: {
    args: async () => ({ params: { secret_id: (await freshReceiver()).secretId } }),
  },
} satisfies Partial<Probes>
