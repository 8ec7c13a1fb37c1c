import type { User, UserLink } from '@steading/api/client'
import {
  INVITATION_DAYS,
  mailAddressProblem,
  nameFieldProblem,
  userNameOf,
} from '@steading/api/rules'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Control, useForm, useWatch } from 'react-hook-form'
import { NO_ROLE, optionalRoles, roleOptions } from '../access/role-fields.tsx'
import { ALL_ITEMS, apiQuery, refetchShown } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import type { ApiError } from '../../data/errors.ts'
import { choicesOf } from '../../data/reads.ts'
import { useCurrentUser } from '../../data/session.ts'
import { NameField } from '../../forms/name-fields.tsx'
import { PasswordField, showCommonPasswordError } from '../../forms/password-field.tsx'
import { Banner } from '../../ui/banner.tsx'
import { RadioField } from '../../ui/form/choice-fields.tsx'
import { ComboboxField } from '../../ui/form/combobox-field.tsx'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Strong } from '../../ui/text.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { asCode } from '../../workspace/as-code/as-code.tsx'
import { invite, inviteCode, type InviteValues, isAddress, userNameIn } from './invite-steps.ts'
import { LinkMade } from './link-made.tsx'
import { NoSiloRole } from './no-silo-role.tsx'

export type InvitePlace = {
  /** Name of another silo, for operators. */
  silo?: string
  /** Name of the project whose page opened the form. */
  project?: string
}

type Props = InvitePlace & { typed?: string | undefined; onDismiss: () => void }

const siloRoles = optionalRoles('silo')
const projectRoles = roleOptions('project')

const capitalized = (text: string) => text[0]!.toUpperCase() + text.slice(1)

function nameProblem(name: string): string | undefined {
  if (name === '') return 'Name or mail address is required'
  if (!isAddress(name)) return nameFieldProblem(name, 'Name')
  const problem = mailAddressProblem(name.trim())
  return problem && capitalized(problem)
}

/** How the person gets a password. */
function HowField({ control, mails }: { control: Control<InviteValues>; mails: boolean }) {
  const name = useWatch({ control, name: 'name' })
  return (
    <RadioField
      control={control}
      name="how"
      label="Sign-in"
      column
      items={[
        {
          value: 'mail',
          label: 'Send a link by mail',
          disabledReason: !mails
            ? 'This server sends no mail'
            : !isAddress(name) && 'Needs a mail address',
        },
        {
          value: 'copy',
          label: 'Link to copy',
          description: `Your colleague chooses a password with it. It works once, for ${INVITATION_DAYS} days.`,
        },
        { value: 'password', label: 'Password', description: 'You choose it, and hand it over.' },
      ]}
    />
  )
}

function ProjectField({ control }: { control: Control<InviteValues> }) {
  const projects = useQuery(apiQuery('projectList', { query: { limit: ALL_ITEMS } }))
  return (
    <ComboboxField
      control={control}
      name="project"
      label="Project"
      required={false}
      {...choicesOf(projects, ({ name }) => ({ value: name, label: name }))}
      empty="No projects"
    />
  )
}

/** Invites a person: a user, roles, and a link for a password. */
export default function Invite({ silo, project, typed = '', onDismiss }: Props) {
  const me = useCurrentUser()
  const where = { silo: silo ?? me.siloName, other: silo }
  const mails = useCapability('userMail')
  const form = useForm<InviteValues>({
    defaultValues: {
      name: typed,
      userName: isAddress(typed) ? userNameOf(typed) : '',
      siloRole: NO_ROLE,
      project: project ?? '',
      projectRole: 'viewer',
      how: isAddress(typed) && mails ? 'mail' : 'copy',
      password: '',
    },
  })
  const { control } = form
  const [name, userName, siloRole, inProject, how] = useWatch({
    control,
    name: ['name', 'userName', 'siloRole', 'project', 'how'],
  })
  const [made, setMade] = useState<User>()
  const [link, setLink] = useState<UserLink>()
  const send = useMutation<UserLink | undefined, ApiError, InviteValues>({
    mutationFn: (values) => invite(values, where, made, setMade),
    onSettled: refetchShown,
    onError(error, values) {
      showCommonPasswordError(form, 'password')(error)
      if (error.errorCode !== 'ObjectAlreadyExists' || !isAddress(values.name)) return
      form.setError('userName', { message: 'Name already exists' })
      form.setFocus('userName')
    },
    onSuccess(created, values) {
      if (created?.token) return setLink(created)
      addToast({
        content: created ? (
          <>
            Invitation to <Strong>{created.mailAddress}</Strong> is on its way
          </>
        ) : (
          <>
            User <Strong>{userNameIn(values)}</Strong> created
          </>
        ),
      })
      onDismiss()
    },
  })
  const byAddress = isAddress(name)
  /** Follows the typed address with the user name and the way of the link, until these are chosen. */
  const changed = (text: string): string => {
    const next = text.trimStart()
    const { userName: before, how: chosen, name: last } = form.getValues()
    if (before === userNameOf(last) || !isAddress(last)) form.setValue('userName', userNameOf(next))
    if (mails && chosen !== 'password' && isAddress(next) !== isAddress(last)) {
      form.setValue('how', isAddress(next) ? 'mail' : 'copy')
    }
    return next
  }
  if (link) {
    return <LinkMade link={link} user={made!.displayName} onDismiss={onDismiss} />
  }
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="invitation"
      title="Invite"
      submitLabel="Invite"
      subtitle={project}
      calls="localIdpUserCreate"
      onSubmit={(values) => send.mutate(values)}
      loading={send.isPending}
      // The form itself shows a taken name at the field `name`.
      submitError={send.error && byAddress ? { message: send.error.message } : send.error}
      code={(values) => asCode(...inviteCode(values, where))}
      onDismiss={onDismiss}
    >
      {made && send.error && (
        <Banner variant="notice">
          User <Strong>{made.displayName}</Strong> exists now. Invite again to do the rest.
        </Banner>
      )}
      <TextField
        control={control}
        name="name"
        label="Name or mail address"
        required
        disabled={made !== undefined}
        ignorePasswordManagers
        validate={nameProblem}
        transform={changed}
        description={
          byAddress ? undefined : 'The user signs in with this name. It cannot be changed.'
        }
      />
      {byAddress && (
        <NameField
          control={control}
          name="userName"
          label="User name"
          disabled={made !== undefined}
          description="The user signs in with this name. It cannot be changed."
        />
      )}
      {silo === undefined && project === undefined && <ProjectField control={control} />}
      {inProject !== '' && (
        <ListboxField
          control={control}
          name="projectRole"
          label={`Role on project ${inProject}`}
          options={projectRoles}
        />
      )}
      <ListboxField
        control={control}
        name="siloRole"
        label={`Role on silo ${where.silo}`}
        options={siloRoles}
      />
      {siloRole === NO_ROLE && silo === undefined && <NoSiloRole />}
      <HowField control={control} mails={mails} />
      {how === 'password' && (
        <PasswordField
          form={form}
          name="password"
          description="Hand it over safely: it is not shown again"
          autoComplete="new-password"
          isNew
          user={userNameIn({ name, userName })}
        />
      )}
    </SideModalForm>
  )
}

export function InvitePage() {
  const navigate = useNavigate()
  return <Invite onDismiss={() => void navigate({ to: '/users' })} />
}
