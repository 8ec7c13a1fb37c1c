import type { Args } from '@steading/api/client'
import { useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { asCode, useApiForm } from '../../workspace/as-code/as-code.tsx'
import { call } from '../../workspace/as-code/steps.ts'
import { type EntryList, useListEntry, withEntry } from '../../forms/list-entry.ts'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { SubForm } from '../../forms/sub-form.tsx'
import { MiniTable } from '../../ui/form/mini-table.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Mono } from '../../ui/text.tsx'
import { doneToast } from '../../ui/toasts.tsx'
import {
  endpointFieldProblem,
  MatchesHint,
  SECRET_IN_CODE,
  secretFieldProblem,
  subscriptionFieldProblem,
} from './fields.tsx'

const initial = {
  name: '',
  description: '',
  endpoint: '',
  secret: '',
  subscriptions: [] as string[],
  subscriptionEntry: { subscription: '' },
}
type Values = typeof initial

const subscriptionList: EntryList<string, { subscription: string }> = {
  blank: initial.subscriptionEntry,
  isBlank: ({ subscription }) => subscription === '',
  problems: { subscription: subscriptionFieldProblem },
  twice: ({ subscription }, added) =>
    added.includes(subscription) ? `${subscription} is on the list` : undefined,
  add: (added, { subscription }) => [...added, subscription],
  max: Infinity,
  full: '',
}

function Subscriptions() {
  const { items, entry, remove, field, subForm } = useListEntry(
    subscriptionList,
    'subscriptions',
    'subscriptionEntry',
  )
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="sr-only">Subscriptions</legend>
      <SubForm addLabel="Add subscription" {...subForm}>
        <TextField
          {...field('subscription')}
          label="Subscriptions"
          description="Classes of alerts; * stands for one segment, ** for one or more"
          mono
        />
        <MatchesHint subscription={entry.subscription} />
      </SubForm>
      <MiniTable
        label="Subscriptions"
        columns={[
          { id: 'subscription', header: 'Class', cell: (each: string) => <Mono>{each}</Mono> },
        ]}
        items={items}
        rowKey={(each) => each}
        removeLabel={(each) => `Remove ${each}`}
        onRemove={remove}
      />
    </fieldset>
  )
}

export function ReceiverCreateForm() {
  const navigate = useNavigate()
  const form = useForm<Values>({ defaultValues: initial })
  const { control } = form
  const argsOf = ({
    secret,
    subscriptions,
    subscriptionEntry,
    ...body
  }: Values): Args<'webhookReceiverCreate'> => ({
    body: {
      ...body,
      secrets: [secret],
      subscriptions: withEntry(subscriptionList, subscriptions, subscriptionEntry),
    },
  })
  const create = useApiForm('webhookReceiverCreate', argsOf, {
    onSuccess: ({ name }) => {
      doneToast('Receiver', name, 'created')
      void navigate({ to: '/system/alert-receivers/$receiver', params: { receiver: name } })
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="receiver"
      {...create}
      code={(values) =>
        asCode(call('webhookReceiverCreate', argsOf({ ...values, secret: SECRET_IN_CODE })))
      }
      onDismiss={() => void navigate({ to: '/system/alert-receivers' })}
    >
      <NameField control={control} />
      <DescriptionField control={control} />
      <TextField
        name="endpoint"
        label="URL"
        placeholder="https://"
        description="Alerts are sent there by POST. Redirects are not followed. Private addresses are refused unless the server is started with --webhook-networks."
        control={control}
        required
        validate={endpointFieldProblem}
      />
      <TextField
        name="secret"
        type="password"
        autoComplete="new-password"
        description="Deliveries are signed with it. It is not shown again."
        control={control}
        required
        validate={secretFieldProblem}
      />
      <Subscriptions />
    </SideModalForm>
  )
}
