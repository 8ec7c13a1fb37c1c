/** Steps of a sign-in after the password, and signing in with a passkey alone. */
import type { ApiResult, FactorSetup, NewFactor, SecondFactorStep } from '@steading/api/client'
import { TOTP_DIGITS } from '@steading/api/rules'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { client } from '../../data/client.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import {
  makePasskey,
  passkeyLack,
  passkeyProblem,
  RecoveryCodes,
  TotpSecret,
  answerPasskey,
} from './factor-parts.tsx'

type Method = SecondFactorStep['methods'][number]

/** The ticket has ended, so the password is needed again. */
class Ended extends Error {}

const UNREACHABLE = 'The server cannot be reached.'

/** The data of an answer. The session does not exist yet, so a 401 leads to the password. */
async function answerOf<T>(sent: Promise<ApiResult<T>>): Promise<T> {
  const result = await sent.catch(() => {
    throw new Error(UNREACHABLE)
  })
  if (result.type === 'success') return result.data
  if (result.type === 'client_error') throw new Error(UNREACHABLE)
  if (result.status === 401) throw new Ended('This took too long. Enter your password again.')
  const { message = 'The server refused this step.' } = result.data
  throw new Error(message.replace(/^unsupported value for "code": /, ''))
}

const stepQuery = (silo: string) => ({
  queryKey: ['secondFactorView', silo] as const,
  queryFn: () => answerOf(client.secondFactorView({ path: { siloName: silo } })),
  retry: false,
  staleTime: Infinity,
  gcTime: 0,
})

/** Runs one step at a time, and keeps its problem for the user. */
function useStep(onEnded: (reason: string) => void) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const run = async (work: () => Promise<void>) => {
    if (busy) return
    setBusy(true)
    setProblem(undefined)
    try {
      await work()
    } catch (error) {
      if (error instanceof Ended) onEnded(error.message)
      else setProblem(passkeyProblem(error) ?? 'The passkey was not used. Try again.')
    } finally {
      setBusy(false)
    }
  }
  return { busy, problem, run }
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const Problem = ({ children }: { children: string | undefined }) => (
  <div aria-live="assertive" className="mt-2 min-h-lh text-red-text">
    {children && sentence(children)}
  </div>
)

type FormProps = {
  label: string
  hint?: ReactNode
  /** Of a one-time password: numeric keys, and the code that the device offers. */
  numeric?: boolean
  submit: string
  busy: boolean
  problem: string | undefined
  onCode: (code: string) => void
}

function CodeForm({ label, hint, numeric = false, submit, busy, problem, onCode }: FormProps) {
  const id = useId()
  const [code, setCode] = useState('')
  const send = (event: FormEvent) => {
    event.preventDefault()
    // React events bubble through portals: the form below a dialog must not be submitted.
    event.stopPropagation()
    if (code.trim()) onCode(code)
  }
  return (
    <form noValidate className="flex flex-col gap-3 text-primary" onSubmit={send}>
      {hint}
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <input
        id={id}
        value={code}
        onChange={(event) => setCode(event.target.value)}
        placeholder={label}
        // The user has come to this step to enter it.
        ref={(input) => input?.focus()}
        inputMode={numeric ? 'numeric' : 'text'}
        autoComplete={numeric ? 'one-time-code' : 'off'}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={numeric ? 2 * TOTP_DIGITS : 64}
        className="field-control h-10 font-mono"
      />
      <Button type="submit" variant="primary" className="h-10! w-full" loading={busy}>
        {submit}
      </Button>
      <Problem>{problem}</Problem>
    </form>
  )
}

type Props = {
  silo: string
  onSignedIn: () => void
  /** Back to the password. */
  onBack: (reason?: string) => void
}

const others: Record<Method, string> = {
  passkey: 'Use a passkey',
  totp: 'Use a code of your authenticator app',
  recovery_code: 'Use a recovery code',
}

export default function SecondFactor({ silo, onSignedIn, onBack }: Props) {
  const queryClient = useQueryClient()
  const { data: step, error, refetch } = useQuery(stepQuery(silo))
  const [chosen, setChosen] = useState<Method>()
  const { busy, problem, run } = useStep(onBack)
  if (error) {
    return (
      <Banner
        variant="error"
        action={
          <Button
            size="sm"
            onClick={() => (error instanceof Ended ? onBack(error.message) : void refetch())}
          >
            Try again
          </Button>
        }
      >
        {error.message}
      </Banner>
    )
  }
  if (!step) return null
  const path = { siloName: silo }
  const next = async (signedIn: boolean) => {
    if (signedIn) return onSignedIn()
    await queryClient.resetQueries({ queryKey: stepQuery(silo).queryKey })
  }
  const lack = passkeyLack()
  const canUse = (method: Method) =>
    method !== 'passkey' || (step.passkeyOptions !== null && lack === undefined)
  const method = chosen ?? step.methods.find(canUse) ?? step.methods[0]
  const back = (
    <button
      type="button"
      className="self-start text-accent-text hover:underline"
      onClick={() => onBack()}
    >
      Back to the password
    </button>
  )
  if (!method) return <Setup {...{ silo, step, onSignedIn, onBack, back }} />
  const use = (body: Parameters<typeof client.secondFactorUse>[0]['body']) =>
    answerOf(client.secondFactorUse({ path, body }))
  return (
    <section aria-labelledby="second-factor" className="flex flex-col gap-3">
      <h2 id="second-factor" className="font-medium">
        Second step for {step.username}
      </h2>
      {method === 'passkey' ? (
        <>
          {canUse('passkey') ? (
            <Button
              variant="primary"
              className="h-10! w-full"
              loading={busy}
              onClick={() =>
                void run(async () => {
                  const response = await answerPasskey(step.passkeyOptions!)
                  await next((await use({ type: 'passkey', response })).signedIn)
                })
              }
            >
              Use passkey
            </Button>
          ) : (
            <Banner variant="notice">
              {lack ?? 'Your passkeys belong to another host name of this console.'}
            </Banner>
          )}
          <Problem>{problem}</Problem>
        </>
      ) : (
        <CodeForm
          key={method}
          label={method === 'totp' ? 'Code of your authenticator app' : 'Recovery code'}
          numeric={method === 'totp'}
          submit="Continue"
          busy={busy}
          problem={problem}
          onCode={(code) =>
            void run(async () => next((await use({ type: method, code })).signedIn))
          }
        />
      )}
      <ul className="flex flex-col gap-2">
        {step.methods
          .filter((other) => other !== method && canUse(other))
          .map((other) => (
            <li key={other}>
              <button
                type="button"
                className="text-accent-text hover:underline"
                onClick={() => setChosen(other)}
              >
                {others[other]}
              </button>
            </li>
          ))}
        <li>{back}</li>
      </ul>
    </section>
  )
}

/** Setting up the factor that the silo requires. */
function Setup({
  silo,
  step,
  onSignedIn,
  onBack,
  back,
}: Props & { step: SecondFactorStep; back: ReactNode }) {
  const { busy, problem, run } = useStep(onBack)
  const [begun, setBegun] = useState<FactorSetup>()
  const [codes, setCodes] = useState<readonly string[]>()
  const path = { siloName: silo }
  const lack = passkeyLack()
  const finish = async (body: NewFactor) => {
    const { recoveryCodes } = await answerOf(client.secondFactorSetup({ path, body }))
    if (recoveryCodes) setCodes(recoveryCodes)
    else onSignedIn()
  }
  const begin = (type: FactorSetup['type']) =>
    run(async () => {
      const setup = await answerOf(client.secondFactorSetupBegin({ path, body: { type } }))
      if (setup.type === 'totp') return setBegun(setup)
      const response = await makePasskey(setup.options)
      await finish({ type: 'passkey', name: 'Passkey', response })
    })
  if (codes) {
    return (
      <section aria-label="Recovery codes" className="flex flex-col gap-4">
        <RecoveryCodes codes={codes} user={step.username} />
        <Button variant="primary" className="h-10! w-full" onClick={onSignedIn}>
          Continue
        </Button>
      </section>
    )
  }
  return (
    <section aria-labelledby="set-up" className="flex flex-col gap-3">
      <h2 id="set-up" className="font-medium">
        Set up a second factor
      </h2>
      {begun?.type === 'totp' ? (
        <CodeForm
          label="Code of your authenticator app"
          hint={<TotpSecret {...begun} />}
          numeric
          submit="Set up and sign in"
          busy={busy}
          problem={problem}
          onCode={(code) => void run(() => finish({ type: 'totp', secret: begun.secret, code }))}
        />
      ) : (
        <>
          <p>Your silo requires it, in addition to your password.</p>
          {step.setup.includes('passkey') && (
            <>
              <Button
                variant="primary"
                className="h-10! w-full"
                loading={busy}
                disabledReason={lack}
                onClick={() => void begin('passkey')}
              >
                Create a passkey
              </Button>
              {lack && <p className="text-xs text-secondary">{lack}</p>}
            </>
          )}
          {step.setup.includes('totp') && (
            <Button className="h-10! w-full" loading={busy} onClick={() => void begin('totp')}>
              Use an authenticator app
            </Button>
          )}
          <Problem>{problem}</Problem>
        </>
      )}
      {back}
    </section>
  )
}

/** Signs in with a passkey alone. @throws Error with the reason */
export async function signInWithPasskey(silo: string): Promise<void> {
  const path = { siloName: silo }
  const { options } = await answerOf(client.passkeyLoginBegin({ path }))
  const response = await answerPasskey(options)
  await answerOf(client.passkeyLogin({ path, body: { response } }))
}

export { passkeyLack, passkeyProblem }
