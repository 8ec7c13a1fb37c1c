import type { Args } from '@steading/api/client'
import { useNavigate } from '@tanstack/react-router'
import { type UseFormReturn, useForm, useWatch } from 'react-hook-form'
import { asCode, useApiForm } from '../as-code/as-code.tsx'
import { call } from '../as-code/steps.ts'
import { DescriptionField, NameField } from '../forms/name-fields.tsx'
import { MiniTable, SubFormButtons } from '../ui/form/mini-table.tsx'
import { SideModalForm } from '../ui/form/side-modal-form.tsx'
import { TextField } from '../ui/form/text-field.tsx'
import { Mono } from '../ui/text.tsx'
import { addToast } from '../ui/toasts.tsx'
import {
  endpointFieldProblem,
  MatchesHint,
  SECRET_IN_CODE,
  secretFieldProblem,
  subscriptionFieldProblem,
} from './fields.tsx'
import { receiversChanged } from './queries.ts'

const initial = {
  name: '',
  description: '',
  endpoint: '',
  secret: '',
  /** What is typed and not added yet. */
  subscription: '',
  subscriptions: [] as string[],
}
type Values = typeof initial

function Subscriptions({ form }: { form: UseFormReturn<Values> }) {
  const { control, setValue } = form
  const [typed, added] = useWatch({ control, name: ['subscription', 'subscriptions'] })
  const clear = () => setValue('subscription', '')
  const addable =
    typed !== '' && subscriptionFieldProblem(typed) === undefined && !added.includes(typed)
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="sr-only">Subscriptions</legend>
      <TextField
        name="subscription"
        label="Subscriptions"
        description="Classes of alerts; * stands for one segment, ** for one or more"
        mono
        control={control}
        validate={(text: string) => (text === '' ? undefined : subscriptionFieldProblem(text))}
      />
      <MatchesHint subscription={typed} />
      <SubFormButtons
        addLabel="Add subscription"
        addable={addable}
        onAdd={() => {
          setValue('subscriptions', [...added, typed], { shouldDirty: true })
          clear()
        }}
        clearable={typed !== ''}
        onClear={clear}
      />
      <MiniTable
        label="Subscriptions"
        columns={[
          { id: 'subscription', header: 'Class', cell: (each: string) => <Mono>{each}</Mono> },
        ]}
        items={added}
        rowKey={(each) => each}
        removeLabel={(each) => `Remove ${each}`}
        onRemove={(removed) =>
          setValue(
            'subscriptions',
            added.filter((each) => each !== removed),
            { shouldDirty: true },
          )
        }
      />
    </fieldset>
  )
}

export function ReceiverCreateForm() {
  const navigate = useNavigate()
  const form = useForm<Values>({ defaultValues: initial })
  const { control } = form
  // What is typed as a subscription and not added counts as well.
  const argsOf = ({
    secret,
    subscription,
    subscriptions,
    ...body
  }: Values): Args<'webhookReceiverCreate'> => ({
    body: {
      ...body,
      secrets: [secret],
      subscriptions: [...new Set([...subscriptions, ...(subscription ? [subscription] : [])])],
    },
  })
  const create = useApiForm('webhookReceiverCreate', argsOf, {
    onSuccess: ({ name }) => {
      void receiversChanged()
      addToast({
        content: (
          <>
            Receiver <b>{name}</b> created
          </>
        ),
      })
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
      <Subscriptions form={form} />
    </SideModalForm>
  )
}
