import type { Silo, User } from '@steading/api/client'
import { useMutation } from '@tanstack/react-query'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { readFresh, useApiMutation } from '../../data/api.ts'
import type { ApiError } from '../../data/errors.ts'
import { NameField } from '../../forms/name-fields.tsx'
import { PasswordField, showCommonPasswordError } from '../../forms/password-field.tsx'
import { policyWith, replacement, replacePolicy } from '../../identity/access/policies.ts'
import { policyQuery } from '../../identity/access/policy-query.ts'
import { describedPassword, passwordOf } from '../../identity/users/password-fields.tsx'
import { Banner } from '../../ui/banner.tsx'
import { FormSection } from '../../ui/form/field.tsx'
import { TextLink } from '../../ui/link.tsx'
import { useRefusalReason } from '../../ui/server-state.ts'
import { call, idOf, type Step } from '../../workspace/as-code/steps.ts'
import { siloHome } from './queries.ts'

/** Values of the section; both are empty, or none is. */
export type AdminValues = { adminName: string; adminPassword: string }
export const noAdmin: AdminValues = { adminName: '', adminPassword: '' }

const asAdmin = (identityId: string) => ({ identityId, identityType: 'silo_user' }) as const
const signIn = ({ adminPassword: password }: AdminValues) =>
  ({ mode: 'password', password }) as const

/**
 * The calls that make a user the admin of a new silo.
 * @param admin the user, if it exists already
 */
export function adminSteps(silo: string, values: AdminValues, admin: User | undefined): Step[] {
  const body = { externalId: values.adminName, password: describedPassword(signIn(values)) }
  const policy = policyWith({ roleAssignments: [] }, asAdmin(admin?.id ?? idOf('user')), 'admin')
  return [
    ...(admin ? [] : [call('localIdpUserCreate', { query: { silo }, body }, { idAs: 'user' })]),
    replacement({ level: 'silo', silo }, policy),
  ]
}

/** The same calls, sent one after the other; each can be repeated after a failure. */
export function useFirstAdmin<V extends AdminValues>(of: UseFormReturn<V>) {
  const form = of as unknown as UseFormReturn<AdminValues>
  const create = useApiMutation('localIdpUserCreate', {
    onError: showCommonPasswordError(form, 'adminPassword'),
  })
  const promote = useMutation<unknown, ApiError, { silo: Silo; admin: User }>({
    mutationFn: async ({ silo, admin }) => {
      const place = { level: 'silo', silo: silo.name } as const
      const from = await readFresh(policyQuery(place))
      return replacePolicy(place, { from, to: policyWith(from, asAdmin(admin.id), 'admin') })
    },
  })
  return {
    create: (silo: Silo, values: AdminValues): Promise<User> =>
      create.mutateAsync({
        query: { silo: silo.name },
        body: { externalId: values.adminName, password: passwordOf(signIn(values)) },
      }),
    promote: (silo: Silo, admin: User) => promote.mutateAsync({ silo, admin }),
    error: create.error ?? promote.error,
  }
}

type FieldsProps<V extends AdminValues> = {
  form: UseFormReturn<V>
  silo: string
  /** Whether there has to be one. */
  required: boolean
}

/** The first administrator of a silo whose users have passwords. */
export function FirstAdminFields<V extends AdminValues>({
  form: of,
  silo,
  required,
}: FieldsProps<V>) {
  const form = of as unknown as UseFormReturn<AdminValues>
  const [name, password] = useWatch({
    control: form.control,
    name: ['adminName', 'adminPassword'],
  })
  const refused = useRefusalReason()({ operation: 'localIdpUserCreate', silo })
  return (
    <FormSection title="First administrator">
      {refused ? (
        <p className="text-secondary">The silo begins without users. {refused}.</p>
      ) : (
        <>
          <NameField
            name="adminName"
            label="Username"
            control={form.control}
            required={required || password !== ''}
            description="This user gets the role Admin on the silo, and can create others."
          />
          <PasswordField
            form={form}
            name="adminPassword"
            description="Hand it over safely: it is not shown again"
            autoComplete="new-password"
            required={required || name !== ''}
            isNew
            user={name}
          />
        </>
      )}
    </FormSection>
  )
}

type WhatIsLeftProps = { silo: Silo; admin: User | undefined }

/** Tells what was made before a call failed, and what is left to do. */
export const WhatIsLeft = ({ silo, admin }: WhatIsLeftProps) => (
  <Banner variant="notice" title={`Silo ${silo.name} was created`}>
    <p>
      {admin
        ? `So was its user ${admin.displayName}, who does not have the role Admin on the silo yet.`
        : 'It has no administrator yet.'}{' '}
      Try again here, or{' '}
      <TextLink to={siloHome} params={{ silo: silo.name }}>
        continue on the page of the silo
      </TextLink>
      .
    </p>
  </Banner>
)
