import type {
  Args,
  NotificationChannel,
  NotificationSettings,
  NotificationSubscription,
} from '@steading/api/client'
import {
  channelProblem,
  type ChannelType,
  channelTypes,
  DAILY_HOUR_MAX,
  dailyDefault,
  type DigestName,
  digests,
  type IssueSeverity,
  type NotificationTopicName,
  notificationTopics,
  type SubscriptionScopeName,
} from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { type Control, type FieldPath, type FieldValues, useForm, useWatch } from 'react-hook-form'
import { ALL_ITEMS, apiQuery } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { choicesOf } from '../../data/reads.ts'
import { useFleetViewer } from '../../data/session.ts'
import { TimeZoneField } from '../../forms/time-zone-field.tsx'
import { useEditForm } from '../../forms/use-edit-form.tsx'
import { CheckboxField, CheckboxGroupField, RadioField } from '../../ui/form/choice-fields.tsx'
import { ComboboxField } from '../../ui/form/combobox-field.tsx'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { ownTimeZone } from '../../ui/time.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { asCode, useApiForm } from '../../workspace/as-code/as-code.tsx'
import { call } from '../../workspace/as-code/steps.ts'
import { formatHour } from '../../ui/exact-time.ts'
import { channelLabels, digestWords, scopeWords, topicsWords, topicLabels } from './labels.ts'

const topicItems = notificationTopics.map((topic) => ({ value: topic, label: topicLabels[topic] }))

const digestItems = digests.map((digest) => ({ value: digest, label: digestWords[digest] }))

const hours = Array.from({ length: DAILY_HOUR_MAX + 1 }, (_, hour) => String(hour))

const severityLabels: Record<IssueSeverity, string> = {
  warning: 'Warnings and critical issues',
  critical: 'Critical issues only',
}
const severityItems = (Object.keys(severityLabels) as IssueSeverity[]).map((severity) => ({
  value: severity,
  label: severityLabels[severity],
}))

interface Wanted {
  topics: NotificationTopicName[]
  severity: IssueSeverity
  digest: DigestName
  dailyHour: string
  timeZone: string
}

const dailyAtOf = ({ dailyHour, timeZone }: Wanted) => ({ hour: Number(dailyHour), timeZone })

const topicsProblem = (topics: unknown) =>
  (topics as unknown[]).length === 0 ? 'Choose at least one topic' : undefined

function WantedFields<T extends Wanted>({ control }: { control: Control<T> }) {
  const name = (field: keyof Wanted) => field as FieldPath<T>
  return (
    <>
      <CheckboxGroupField
        control={control}
        name={name('topics')}
        label="Topics"
        required
        items={topicItems}
        selectAll="All topics"
        validate={topicsProblem}
      />
      <RadioField
        control={control}
        name={name('severity')}
        label="Severity"
        items={severityItems}
        column
      />
      <RadioField control={control} name={name('digest')} label="When" items={digestItems} column />
      <DailyFields control={control as unknown as Control<Wanted>} />
    </>
  )
}

function DailyFields({ control }: { control: Control<Wanted> }) {
  const digest = useWatch({ control, name: 'digest' })
  if (digest !== 'daily') return null
  return (
    <>
      <ListboxField
        control={control}
        name="dailyHour"
        label="Hour"
        required
        options={hours.map((value) => ({ value, label: formatHour(Number(value)) }))}
      />
      <TimeZoneField
        control={control}
        name="timeZone"
        description="Adjusts for daylight saving time"
      />
    </>
  )
}

interface AddressValues extends FieldValues {
  channel: ChannelType
  address: string
  url: string
  secret: string
  room: string
  accessToken: string
}
const noAddress = { address: '', url: '', secret: '', room: '', accessToken: '' }

interface Values extends Wanted, AddressValues {
  scope: SubscriptionScopeName
  project: string
}

function channelOf(values: AddressValues): NotificationChannel {
  const { channel: type, address, url, secret, room, accessToken } = values
  switch (type) {
    case 'email':
      return { type, address }
    case 'webhook':
      return { type, url, secret: secret || null }
    case 'matrix':
      return { type, url, room, accessToken }
    default:
      return { type, url }
  }
}

const bodyOf = (values: Values, project: string | undefined) => ({
  ...(project === undefined
    ? { scope: values.scope, ...(values.scope === 'project' && { project: values.project }) }
    : { ownerProject: project, scope: 'project' as const }),
  topics: values.topics,
  severity: values.severity,
  digest: values.digest,
  ...(values.digest === 'daily' && { dailyAt: dailyAtOf(values) }),
  channel: channelOf(values),
})

/** Stands for secrets in code. */
const SECRET = '***'
const withoutSecrets = <V extends AddressValues>(values: V): V => ({
  ...values,
  secret: values.secret && SECRET,
  accessToken: SECRET,
})

type Rule = 'address' | 'url' | 'room' | 'secret' | 'access_token'

const sentence = (problem: string) => `${problem[0]!.toUpperCase()}${problem.slice(1)}`

/** The rule of the contract for a value of a channel. */
const ruleOf =
  (rule: Rule, required = true) =>
  (text: string) => {
    if (text === '') return required ? 'This field is required' : undefined
    const wrong = channelProblem({ [rule]: text })
    return wrong && sentence(wrong.problem)
  }

const urlLabels: Record<Exclude<ChannelType, 'email'>, { label: string; description: string }> = {
  webhook: { label: 'URL', description: 'Notifications are sent there as JSON by POST' },
  slack: { label: 'Webhook URL', description: 'The incoming webhook of an app in Slack' },
  teams: {
    label: 'Workflow URL',
    description: 'A workflow in Teams that posts to a channel when a webhook request is received',
  },
  matrix: { label: 'Homeserver', description: 'Such as https://matrix.example.org' },
}

/** The channels of this server. */
function useChannels(): ChannelType[] {
  const hasMail = useCapability('notificationMail')
  const hasOthers = useCapability('notificationWebhooks')
  return channelTypes.filter((type) => (type === 'email' ? hasMail : hasOthers))
}

function AddressFields<V extends AddressValues>({
  control: given,
  channels,
}: {
  control: Control<V>
  channels: readonly ChannelType[]
}) {
  const control = given as unknown as Control<AddressValues>
  return (
    <>
      <ListboxField
        control={control}
        name="channel"
        label="Send by"
        options={channels.map((value) => ({ value, label: channelLabels[value] }))}
        required
      />
      <ChannelFields control={control} />
    </>
  )
}

function ChannelFields({ control }: { control: Control<AddressValues> }) {
  const channel = useWatch({ control, name: 'channel' })
  if (channel === 'email') {
    return (
      <TextField
        control={control}
        name="address"
        label="Address"
        description="We send a confirmation email first, and nothing else until it is confirmed"
        required
        validate={ruleOf('address')}
      />
    )
  }
  return (
    <>
      <TextField
        key={channel}
        control={control}
        name="url"
        {...urlLabels[channel]}
        required
        mono
        validate={ruleOf('url')}
      />
      {channel === 'webhook' && (
        <TextField
          control={control}
          name="secret"
          type="password"
          autoComplete="new-password"
          description="The key of the signature in the header x-steading-signature. It is not shown again"
          validate={ruleOf('secret', false)}
        />
      )}
      {channel === 'matrix' && (
        <>
          <TextField
            control={control}
            name="room"
            label="Room ID"
            description="Like !abc:example.org, from the advanced settings of the room"
            required
            mono
            validate={ruleOf('room')}
          />
          <TextField
            control={control}
            name="accessToken"
            label="Access token"
            type="password"
            autoComplete="new-password"
            description="Token of a user in the room. Not shown again"
            required
            validate={ruleOf('access_token')}
          />
        </>
      )}
    </>
  )
}

function ScopeFields({ control }: { control: Control<Values> }) {
  const scope = useWatch({ control, name: 'scope' })
  const isOperator = useFleetViewer()
  const projects = useQuery({
    ...apiQuery('projectList', { query: { limit: ALL_ITEMS } }),
    enabled: scope === 'project',
  })
  const scopes = (Object.keys(scopeWords) as SubscriptionScopeName[]).filter(
    (one) => one !== 'fleet' || isOperator,
  )
  return (
    <>
      <RadioField
        control={control}
        name="scope"
        label="About"
        items={scopes.map((value) => ({ value, label: scopeWords[value] }))}
        column
      />
      {scope === 'project' && (
        <ComboboxField
          control={control}
          name="project"
          label="Project"
          required
          {...choicesOf(projects, ({ name }) => ({ value: name, label: name }))}
        />
      )}
    </>
  )
}

type Dismissed = { onDismiss: () => void }

/** @param project makes it a subscription of the project */
export function NotificationSubscriptionForm({
  project,
  onDismiss,
}: Dismissed & { project?: string }) {
  const channels = useChannels()
  const form = useForm<Values>({
    defaultValues: {
      ...noAddress,
      channel: channels[0],
      scope: 'mine',
      project: '',
      topics: [...notificationTopics],
      severity: 'warning',
      digest: 'immediately',
      dailyHour: String(dailyDefault.hour),
      timeZone: ownTimeZone(),
    },
  })
  const { control } = form
  const argsOf = (values: Values): Args<'notificationSubscriptionCreate'> => ({
    body: bodyOf(values, project),
  })
  const create = useApiForm('notificationSubscriptionCreate', argsOf, {
    onSuccess: ({ state }) => {
      addToast(
        state === 'unconfirmed'
          ? 'Subscription created. A mail asks to confirm the address'
          : 'Subscription created',
      )
      onDismiss()
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="subscription"
      {...create}
      code={(values) =>
        asCode(call('notificationSubscriptionCreate', argsOf(withoutSecrets(values))))
      }
      onDismiss={onDismiss}
    >
      <AddressFields control={control} channels={channels} />
      {project === undefined && <ScopeFields control={control} />}
      <WantedFields control={control} />
    </SideModalForm>
  )
}

const wantedOf = ({ topics, severity, digest, dailyAt }: NotificationSubscription): Wanted => ({
  topics,
  severity,
  digest,
  dailyHour: String(dailyAt.hour),
  timeZone: dailyAt.timeZone,
})

export function SubscriptionEditForm({
  subscription,
  onDismiss,
}: Dismissed & { subscription: NotificationSubscription }) {
  const path = { subscription: subscription.id }
  const channels = useChannels()
  const entries = { ...noAddress, elsewhere: false, channel: subscription.channel }
  type Edited = Wanted & typeof entries
  const argsOf = (values: Edited) => {
    const { topics, severity, digest, elsewhere } = values
    const channel = elsewhere && { channel: channelOf(values) }
    return { path, body: { topics, severity, digest, dailyAt: dailyAtOf(values), ...channel } }
  }
  const { form, ...update } = useEditForm('notificationSubscriptionUpdate', {
    resource: 'subscription',
    read: apiQuery('notificationSubscriptionView', { path }),
    opened: subscription,
    valuesOf: wantedOf,
    fields: {
      topics: {
        label: 'Topics',
        text: (topics) => topicsWords({ topics, severity: 'warning' }),
      },
      severity: { label: 'Severity', text: (severity) => severityLabels[severity] },
      digest: { label: 'When', text: (digest) => digestWords[digest] },
      dailyHour: { label: 'Hour', text: (hour) => formatHour(Number(hour)) },
      timeZone: { label: 'Time zone', text: (zone) => zone },
    },
    entries,
    argsOf,
    onSuccess: ({ state }) => {
      addToast(
        state === 'unconfirmed' && form.getValues('elsewhere')
          ? 'Subscription updated. A mail asks to confirm the address'
          : 'Subscription updated',
      )
      onDismiss()
    },
  })
  const { control } = form
  const elsewhere = useWatch({ control, name: 'elsewhere' })
  return (
    <SideModalForm
      form={form}
      formType="edit"
      subtitle={`${channelLabels[subscription.channel]} ${subscription.target}`}
      {...update}
      code={(values) =>
        asCode(call('notificationSubscriptionUpdate', argsOf(withoutSecrets(values))))
      }
      onDismiss={onDismiss}
    >
      <CheckboxField control={control} name="elsewhere">
        Change destination
      </CheckboxField>
      {elsewhere && <AddressFields control={control} channels={channels} />}
      <WantedFields control={control} />
    </SideModalForm>
  )
}

/** Chooses the topics that the user's notifications show. */
export function TopicsForm({ present, onDismiss }: Dismissed & { present: NotificationSettings }) {
  const { form, ...update } = useEditForm('notificationSettingsUpdate', {
    resource: 'topics',
    read: apiQuery('notificationSettingsView', {}),
    opened: present,
    valuesOf: ({ topics }: NotificationSettings) => ({ topics }),
    fields: {
      topics: {
        label: 'Topics',
        text: (topics) => topicsWords({ topics, severity: 'warning' }),
      },
    },
    argsOf: ({ topics }) => ({ body: { topics } }),
    onSuccess: () => {
      addToast('Topics updated')
      onDismiss()
    },
  })
  return (
    <ModalForm
      form={form}
      title="Choose topics"
      submitLabel="Update topics"
      {...update}
      onDismiss={onDismiss}
    >
      <CheckboxGroupField
        control={form.control}
        name="topics"
        label="Topics"
        items={topicItems}
        selectAll="All topics"
      />
    </ModalForm>
  )
}
