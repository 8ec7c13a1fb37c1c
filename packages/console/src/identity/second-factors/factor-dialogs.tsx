import type { FactorSetup, Passkey, SignInPolicy } from '@steading/api/client'
import {
  lackingFor,
  LIST_COUNT_MAX,
  notPresentPassword,
  PASSKEY_NAME_MAX,
  secondFactorMessages,
} from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type UseFormReturn, useForm, useWatch } from 'react-hook-form'
import { apiQuery, useApiMutation } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { useCurrentUser } from '../../data/session.ts'
import { PasswordField } from '../../forms/password-field.tsx'
import { useEditForm } from '../../forms/use-edit-form.tsx'
import { OptionalValue } from '../../page/query-error.tsx'
import { Banner } from '../../ui/banner.tsx'
import { RadioField } from '../../ui/form/choice-fields.tsx'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Modal, ModalFooter } from '../../ui/modal.tsx'
import { formatNumber } from '../../ui/number.ts'
import { Strong } from '../../ui/text.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { asCode } from '../../workspace/as-code/as-code.tsx'
import { call } from '../../workspace/as-code/steps.ts'
import {
  makePasskey,
  passkeyLack,
  passkeyProblem,
  RecoveryCodes,
  TotpSecret,
} from './factor-parts.tsx'
import { ReasonField } from '../../forms/reason-field.tsx'

export type FactorDialog =
  | { type: 'totp' }
  | { type: 'passkey' }
  | { type: 'rename'; passkey: Passkey }
  /** Without a passkey: the authenticator app. */
  | { type: 'remove'; passkey?: Passkey }
  | { type: 'codes' }
  | { type: 'policy' }

type Props = { hasPassword: boolean; onDismiss: () => void }

export function FactorDialogs({ dialog, ...props }: Props & { dialog: FactorDialog }) {
  const [codes, setCodes] = useState<readonly string[]>()
  const user = useCurrentUser().displayName
  const done = (toast: string) => (result?: { recoveryCodes?: readonly string[] | null }) => {
    addToast(toast)
    if (result?.recoveryCodes) setCodes(result.recoveryCodes)
    else props.onDismiss()
  }
  if (codes) {
    return (
      <Modal
        title="Recovery codes"
        onDismiss={props.onDismiss}
        footer={
          <ModalFooter
            onDismiss={props.onDismiss}
            actionText="Done"
            cancelText={false}
            onAction={props.onDismiss}
          />
        }
      >
        <RecoveryCodes codes={codes} user={user} />
      </Modal>
    )
  }
  switch (dialog.type) {
    case 'totp':
      return <AddTotp {...props} onDone={done('Authenticator app set up')} />
    case 'passkey':
      return <AddPasskey {...props} onDone={done('Passkey added')} />
    case 'rename':
      return <Rename {...props} passkey={dialog.passkey} onDone={done('Passkey renamed')} />
    case 'remove':
      return <Remove {...props} passkey={dialog.passkey} onDone={done('Second factor removed')} />
    case 'codes':
      return <NewCodes {...props} onDone={done('Earlier recovery codes no longer work')} />
    case 'policy':
      return <SignInPolicyForm silo={undefined} onDismiss={props.onDismiss} />
  }
}

type Proof = { currentPassword: string }
type Done = { onDone: (result?: { recoveryCodes?: readonly string[] | null }) => void }

const proofOf = ({ currentPassword }: Proof) => ({ currentPassword: currentPassword || null })
const placeholder = { currentPassword: '<current password>' }

/** Puts a refusal of the password, or of the code, at its field. */
const showRefusal =
  <V extends Proof & { code?: string }>(form: UseFormReturn<V>) =>
  ({ message }: { message: string }): void => {
    const plain = form as unknown as UseFormReturn<Proof & { code: string }>
    if (message.endsWith(notPresentPassword)) {
      plain.setError('currentPassword', { message: 'This is not your present password' })
      plain.setFocus('currentPassword')
    } else if (message.endsWith(secondFactorMessages.wrongCode)) {
      plain.setError('code', { message: 'This code is not valid. Enter the newest one.' })
      plain.setFocus('code')
    }
  }

function CurrentPassword<V extends Proof>({
  form,
  hasPassword,
}: {
  form: UseFormReturn<V>
  hasPassword: boolean
}) {
  return (
    hasPassword && (
      <PasswordField
        form={form as unknown as UseFormReturn<Proof>}
        name="currentPassword"
        label="Current password"
        autoComplete="current-password"
      />
    )
  )
}

function AddTotp({ hasPassword, onDismiss, onDone }: Props & Done) {
  const form = useForm({ defaultValues: { code: '', currentPassword: '' } })
  const [setup, setSetup] = useState<Extract<FactorSetup, { type: 'totp' }>>()
  const begin = useApiMutation('factorSetupBegin', {
    onSuccess: (begun) => begun.type === 'totp' && setSetup(begun),
  })
  const add = useApiMutation('factorSetup', { onSuccess: onDone, onError: showRefusal(form) })
  const { mutate } = begin
  useEffect(() => mutate({ body: { type: 'totp' } }), [mutate])
  return (
    <ModalForm
      form={form}
      title="Set up an authenticator app"
      submitLabel="Set up"
      loading={add.isPending}
      submitError={add.error ?? begin.error}
      submitDisabled={!setup}
      onSubmit={({ code, ...proof }) =>
        add.mutate({
          body: { ...proofOf(proof), factor: { type: 'totp', secret: setup!.secret, code } },
        })
      }
      code={() =>
        asCode(
          call('factorSetupBegin', { body: { type: 'totp' } }),
          call('factorSetup', {
            body: { ...placeholder, factor: { type: 'totp', secret: '<secret>', code: '<code>' } },
          }),
        )
      }
      onDismiss={onDismiss}
    >
      <div className="min-h-72">{setup && <TotpSecret {...setup} />}</div>
      <TextField
        name="code"
        label="Code"
        description="Shown by the app now"
        required
        mono
        control={form.control}
        ignorePasswordManagers
      />
      <CurrentPassword form={form} hasPassword={hasPassword} />
    </ModalForm>
  )
}

function AddPasskey({ hasPassword, onDismiss, onDone }: Props & Done) {
  const form = useForm({ defaultValues: { name: '', currentPassword: '' } })
  const [refused, setRefused] = useState<string>()
  const begin = useApiMutation('factorSetupBegin')
  const add = useApiMutation('factorSetup', { onSuccess: onDone, onError: showRefusal(form) })
  const submit = async ({ name, ...proof }: { name: string } & Proof) => {
    setRefused(undefined)
    const setup = await begin.mutateAsync({ body: { type: 'passkey' } }).catch(() => undefined)
    if (setup?.type !== 'passkey') return
    let response: string
    try {
      response = await makePasskey(setup.options)
    } catch (error) {
      return setRefused(passkeyProblem(error) ?? 'No passkey was created.')
    }
    add.mutate({ body: { ...proofOf(proof), factor: { type: 'passkey', name, response } } })
  }
  return (
    <ModalForm
      form={form}
      title="Add passkey"
      submitLabel="Create passkey"
      loading={begin.isPending || add.isPending}
      submitError={refused ? { message: refused } : (add.error ?? begin.error)}
      onSubmit={(values) => void submit(values)}
      onDismiss={onDismiss}
    >
      <PasskeyName form={form} />
      <CurrentPassword form={form} hasPassword={hasPassword} />
    </ModalForm>
  )
}

function PasskeyName<V extends { name: string }>({ form }: { form: UseFormReturn<V> }) {
  return (
    <TextField
      name="name"
      label="Name"
      description="For example: Work laptop"
      required
      control={(form as unknown as UseFormReturn<{ name: string }>).control}
      ignorePasswordManagers
      validate={(value) =>
        value.trim() === ''
          ? 'Name is required'
          : value.length > PASSKEY_NAME_MAX
            ? `Must be ${PASSKEY_NAME_MAX} characters or fewer`
            : undefined
      }
    />
  )
}

function Rename({ passkey, onDismiss, onDone }: Props & Done & { passkey: Passkey }) {
  const form = useForm({ defaultValues: { name: passkey.name } })
  const rename = useApiMutation('passkeyUpdate', { onSuccess: () => onDone() })
  const argsOf = (body: { name: string }) => ({ path: { passkeyId: passkey.id }, body })
  return (
    <ModalForm
      form={form}
      title="Rename passkey"
      submitLabel="Rename"
      loading={rename.isPending}
      submitError={rename.error}
      onSubmit={(body) => rename.mutate(argsOf(body))}
      code={(body) => asCode(call('passkeyUpdate', argsOf(body)))}
      onDismiss={onDismiss}
    >
      <PasskeyName form={form} />
    </ModalForm>
  )
}

function Remove({
  passkey,
  hasPassword,
  onDismiss,
  onDone,
}: Props & Done & { passkey: Passkey | undefined }) {
  const form = useForm({ defaultValues: { currentPassword: '' } })
  const remove = useApiMutation('factorRemove', {
    onSuccess: () => onDone(),
    onError: showRefusal(form),
  })
  const factor = passkey
    ? ({ type: 'passkey', id: passkey.id } as const)
    : ({ type: 'totp' } as const)
  return (
    <ModalForm
      form={form}
      title={passkey ? 'Remove passkey' : 'Remove authenticator app'}
      submitLabel="Remove"
      loading={remove.isPending}
      submitError={remove.error}
      onSubmit={(proof) => remove.mutate({ body: { ...proofOf(proof), factor } })}
      code={() => asCode(call('factorRemove', { body: { ...placeholder, factor } }))}
      onDismiss={onDismiss}
    >
      <p>
        {passkey ? (
          <>
            <Strong>{passkey.name}</Strong> will no longer sign you in.
          </>
        ) : (
          'Codes of the app will no longer sign you in.'
        )}{' '}
        Without any second factor, your recovery codes are removed as well.
      </p>
      <CurrentPassword form={form} hasPassword={hasPassword} />
    </ModalForm>
  )
}

function NewCodes({ hasPassword, onDismiss, onDone }: Props & Done) {
  const form = useForm({ defaultValues: { currentPassword: '' } })
  const create = useApiMutation('recoveryCodesCreate', {
    onSuccess: onDone,
    onError: showRefusal(form),
  })
  return (
    <ModalForm
      form={form}
      title="New recovery codes"
      submitLabel="Create codes"
      loading={create.isPending}
      submitError={create.error}
      onSubmit={(proof) => create.mutate({ body: proofOf(proof) })}
      code={() => asCode(call('recoveryCodesCreate', { body: placeholder }))}
      onDismiss={onDismiss}
    >
      <p>The earlier codes stop working.</p>
      <CurrentPassword form={form} hasPassword={hasPassword} />
    </ModalForm>
  )
}

const policyOptions = [
  { value: 'optional', label: 'Optional', description: 'Optional for users' },
  {
    value: 'required',
    label: 'Required',
    description: 'A passkey, or codes of an authenticator app.',
  },
  { value: 'passkey', label: 'Passkey required', description: 'Codes do not suffice.' },
]
const policyTexts = { optional: 'Optional', required: 'Required', passkey: 'Passkey required' }

/** Reads before the form opens, so that it shows the present policy. */
export const signInPolicyQuery = (silo: string) => apiQuery('signInPolicyView', { path: { silo } })

/** Sets whether the local users of a silo need a second factor. @param silo the user's by default */
export function SignInPolicyForm({
  silo: given,
  onDismiss,
}: {
  silo: string | undefined
  onDismiss: () => void
}) {
  const own = useCurrentUser().siloName
  const silo = given ?? own
  const [present, setPresent] = useState<SignInPolicy>()
  useEffect(() => {
    void signInPolicyQuery(silo).queryFn().then(setPresent, onDismiss)
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once
  }, [])
  return present ? <PolicyForm {...{ silo, present, onDismiss }} /> : null
}

/** The number of users whom a policy asks for a factor that they do not have. */
function Lacking({ silo, policy }: { silo: string; policy: SignInPolicy['secondFactor'] }) {
  const supported = useCapability('users')
  const secondFactor = lackingFor[policy]
  const read = useQuery({
    ...apiQuery('userDetailsList', { query: { silo, secondFactor, limit: 1 } }),
    enabled: supported && secondFactor !== undefined,
  })
  // Only administrators of users may know.
  if (!supported || (read.error && 'statusCode' in read.error && read.error.statusCode === 403))
    return null
  return (
    <p aria-live="polite" className="min-h-10">
      {secondFactor === undefined ? (
        'Nobody is asked for a second factor that they have not set up.'
      ) : (
        <OptionalValue by={read}>{({ total }) => lackingText(policy, total)}</OptionalValue>
      )}
    </p>
  )
}

function lackingText(policy: SignInPolicy['secondFactor'], total: number | null): string {
  const factor = policy === 'passkey' ? 'passkey' : 'second factor'
  if (total === 0) return `Every user with a password has a ${factor}.`
  const users =
    total === null
      ? `More than ${formatNumber(LIST_COUNT_MAX)} users have`
      : total === 1
        ? '1 user has'
        : `${formatNumber(total)} users have`
  return `${users} no ${factor} yet. The list of users has a filter for them.`
}

type PolicyFormProps = { silo: string; present: SignInPolicy; onDismiss: () => void }

function PolicyForm({ silo, present, onDismiss }: PolicyFormProps) {
  const { form, ...update } = useEditForm('signInPolicyUpdate', {
    resource: 'sign-in policy',
    read: signInPolicyQuery(silo),
    opened: present,
    valuesOf: ({ secondFactor }: SignInPolicy) => ({ secondFactor }),
    fields: {
      secondFactor: { label: 'Second factor', text: (value) => policyTexts[value] },
    },
    argsOf: (body) => ({ path: { silo }, body }),
    onSuccess: () => {
      addToast('Sign-in policy updated')
      onDismiss()
    },
  })
  const lack = passkeyLack()
  const chosen = useWatch({ control: form.control, name: 'secondFactor' })
  return (
    <ModalForm
      form={form}
      title="Sign-in policy"
      submitLabel="Update policy"
      {...update}
      onDismiss={onDismiss}
    >
      <p>
        Applies to users of silo {silo} who sign in with a password. Users without a second factor
        set one up at their next sign-in; present sessions and access tokens go on.
      </p>
      <RadioField
        control={form.control}
        name="secondFactor"
        label="Second factor"
        items={policyOptions}
        column
      />
      <Lacking silo={silo} policy={chosen} />
      {lack && (
        <Banner variant="notice" title="Passkeys do not work here">
          {lack} Users who need one have to open the console at a host name.
        </Banner>
      )}
      <ReasonField operation="signInPolicyUpdate" />
    </ModalForm>
  )
}
