import type { UserLinkView } from '@steading/api/client'
import { SECOND_FACTOR_REQUIRED } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useRouter } from '@tanstack/react-router'
import { Suspense, useState, type ReactNode } from 'react'
import { FormProvider, useForm } from 'react-hook-form'
import { call, queryClient, useApiMutation } from '../../data/api.ts'
import type { ApiError } from '../../data/errors.ts'
import { showCommonPasswordError, PasswordField } from '../../forms/password-field.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { TextLink } from '../../ui/link.tsx'
import { Strong } from '../../ui/text.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { LoginFrame, SiloHeading } from './login-frame.tsx'

const SecondFactor = lazyPart(() => import('../second-factors/second-factor.tsx'))

/** The purpose of a link. A link that is not valid is expected. */
const linkQuery = (token: string) => ({
  queryKey: ['userLinkView', token] as const,
  queryFn: () => call('userLinkView', { body: { token } }, { expected: [404, 429] }),
  retry: false,
  throwOnError: false,
  staleTime: Infinity,
  gcTime: 0,
})

/** The link is unknown, or has no effect any more. */
const isGone = (error: Error | null): boolean => (error as ApiError | null)?.statusCode === 404

const Title = ({ children }: { children: ReactNode }) => (
  <h1 className="mb-2 text-2xl font-semibold tracking-[-0.022em]">{children}</h1>
)

/** A link without an effect, and what to do instead. */
const NotValid = () => (
  <>
    <Title>Link not valid</Title>
    <p className="mb-6 text-secondary">
      This link was used, has expired, or was replaced by a newer one. Use the newest mail, or ask
      your administrator for another link.
    </p>
    <TextLink to="/login/choose">Sign in</TextLink>
  </>
)

/** The page of a link in an invitation, or in a mail about a password or an address. */
export function LinkPage() {
  const token = useLocation({ select: ({ hash }) => hash })
  const { data, error, refetch, isFetching } = useQuery({
    ...linkQuery(token),
    enabled: token !== '',
  })
  if (token === '' || isGone(error)) {
    return (
      <LoginFrame>
        <NotValid />
      </LoginFrame>
    )
  }
  if (!data) {
    return (
      <LoginFrame>
        {error && (
          <>
            <Title>No answer</Title>
            <p className="mb-6 text-secondary">{error.message}</p>
            <Button loading={isFetching} onClick={() => void refetch()}>
              Try again
            </Button>
          </>
        )}
      </LoginFrame>
    )
  }
  return (
    <LoginFrame>
      <SiloHeading silo={data.siloName} />
      {data.purpose === 'address' ? (
        <Confirm token={token} link={data} />
      ) : (
        <ChoosePassword token={token} link={data} />
      )}
    </LoginFrame>
  )
}

/** The effect of a link, and the way on. */
const Done = ({ silo, children }: { silo: string; children: ReactNode }) => (
  <>
    <p aria-live="polite" className="mb-6 wrap-anywhere">
      {children}
    </p>
    <TextLink to="/login/$silo/local" params={{ silo }}>
      Sign in
    </TextLink>
  </>
)

type PartProps = { token: string; link: UserLinkView }

/** Only the button has an effect, because scanners of mail open links. */
function Confirm({ token, link: { siloName, userName, mailAddress } }: PartProps) {
  const confirm = useApiMutation('userLinkUse', { expected: [404] })
  if (isGone(confirm.error)) return <NotValid />
  if (confirm.isSuccess) {
    return (
      <Done silo={siloName}>
        <Strong>{mailAddress}</Strong> is confirmed.
      </Done>
    )
  }
  return (
    <>
      <p className="mb-6 wrap-anywhere">
        <Strong>{mailAddress}</Strong> is to be the mail address of user <Strong>{userName}</Strong>
        .
      </p>
      {confirm.error && (
        <Banner variant="error" className="mb-4">
          {confirm.error.message}
        </Banner>
      )}
      <Button
        variant="primary"
        className="h-10! w-full"
        loading={confirm.isPending}
        onClick={() => confirm.mutate({ body: { token } })}
      >
        Confirm the address
      </Button>
    </>
  )
}

/** Sets the password, and signs in with it in the usual way. */
function ChoosePassword({ token, link: { siloName, userName, purpose } }: PartProps) {
  const router = useRouter()
  const form = useForm({ defaultValues: { password: '' } })
  const [step, setStep] = useState<'password' | 'second factor' | 'set'>('password')
  const enter = () => {
    // The cached data belongs to the previous user.
    queryClient.clear()
    addToast('Logged in')
    router.history.push('/projects')
  }
  const signIn = useApiMutation('loginLocal', {
    expected: [401, 403],
    onSuccess: enter,
    onError: ({ errorCode }) =>
      setStep(errorCode === SECOND_FACTOR_REQUIRED ? 'second factor' : 'set'),
  })
  const use = useApiMutation('userLinkUse', {
    expected: [400, 404],
    onSuccess: (_, { body: { password } }) =>
      signIn.mutate({
        path: { siloName },
        body: { username: userName, password: password! },
      }),
    onError: showCommonPasswordError(form, 'password'),
  })
  if (isGone(use.error)) return <NotValid />
  if (step === 'second factor') {
    return (
      <Suspense>
        <SecondFactor silo={siloName} onSignedIn={enter} onBack={() => setStep('set')} />
      </Suspense>
    )
  }
  if (step === 'set') return <Done silo={siloName}>Your password is set.</Done>
  return (
    <>
      <p className="mb-6">
        {purpose === 'invitation' ? 'Choose a password' : 'Set a new password'} for user{' '}
        <Strong>{userName}</Strong>.
      </p>
      <form
        noValidate
        className="flex flex-col gap-5"
        onSubmit={(event) =>
          void form.handleSubmit(({ password }) => use.mutate({ body: { token, password } }))(event)
        }
      >
        {use.error && <Banner variant="error">{use.error.message}</Banner>}
        {/* Password managers store the password with the name. */}
        <input hidden readOnly name="username" autoComplete="username" value={userName} />
        <FormProvider {...form}>
          <PasswordField
            form={form}
            name="password"
            autoComplete="new-password"
            isNew
            user={userName}
          />
        </FormProvider>
        <Button
          type="submit"
          variant="primary"
          className="h-10! w-full"
          loading={use.isPending || signIn.isPending}
        >
          Set password and sign in
        </Button>
      </form>
    </>
  )
}
