import type { MethodName } from '@steading/api/client'
import { type Answer, newestAnswers, onAnswer } from '../data/answers.ts'
import { answeredCapabilities } from '../data/capabilities.ts'
import { ApiError, logApiError } from '../data/errors.ts'
import { type Misfit, misfitsAmong, problemsOf } from '../data/misfits.ts'
import { ErrorDetails, RequestId } from '../ui/error-details.tsx'
import { addToast } from '../ui/toasts.tsx'
import { whenDrawnAndIdle } from '../ui/lazy-part.ts'

const NOT_UNDERSTOOD = 'The server has answered with something that the console does not understand'
const DOES_NOT_MATCH = 'An answer of this control plane does not match the API'

/** Operations whose answers were already checked in this tab. */
const checked = new Set<MethodName>()
/** Operations whose misfit broke a page. The page explains it, so the notice does not. */
const explained = new Set<MethodName>()
/** Misfits in the notice. */
let reported: readonly Misfit[] = []
let withdraw = () => {}

/** The newest misfit as an error, with the details of all. */
function errorOf(misfits: readonly Misfit[], message: string): ApiError | undefined {
  const [newest] = misfits
  if (!newest) return undefined
  const { operation, requestId } = newest
  const details = problemsOf(misfits)
  const error = new ApiError(operation, message, 200, undefined, requestId, undefined, details)
  logApiError(error, false)
  return error
}

/** Shows one notice about all reported misfits. */
function tell(misfits: readonly Misfit[]): void {
  withdraw()
  withdraw = () => {}
  reported = misfits.filter(({ operation }) => !explained.has(operation))
  const [newest] = reported
  if (!newest) return
  withdraw = addToast({
    variant: 'notice',
    title: `${DOES_NOT_MATCH}.`,
    content: (
      <>
        Some values may be missing or wrong.
        <ErrorDetails text={problemsOf(reported)} />
      </>
    ),
    link: newest.requestId && (
      <div className="mt-2 flex">
        <RequestId id={newest.requestId} />
      </div>
    ),
    timeout: null,
    onDismiss: () => {
      reported = []
    },
  })
}

/**
 * Explains a failed page by a misfit among the newest answers, which the notice then omits.
 * @throws Error if the schemas cannot be loaded
 */
export async function explanation(): Promise<ApiError | undefined> {
  const misfits = await misfitsAmong(newestAnswers())
  for (const { operation } of misfits) explained.add(operation)
  tell(reported)
  return errorOf(misfits, NOT_UNDERSTOOD)
}

/** Answers to check: the first one of each operation in this tab. */
function takeSamples(): Answer[] {
  const samples: Answer[] = []
  for (const answer of newestAnswers().toReversed()) {
    if (checked.has(answer.operation)) continue
    checked.add(answer.operation)
    samples.unshift(answer)
  }
  return samples
}

async function checkSamples(): Promise<void> {
  for (;;) {
    await whenDrawnAndIdle()
    const samples = takeSamples()
    if (samples.length === 0) return
    const misfits = await misfitsAmong(samples)
    if (errorOf(misfits, DOES_NOT_MATCH)) tell([...misfits, ...reported])
  }
}

/**
 * Reports each operation with a misfit answer once. Our own control plane's answers are covered
 * by its tests.
 */
export async function watchAnswers(): Promise<void> {
  const { lists: isOurs } = await answeredCapabilities()
  if (isOurs) return
  let isChecking = false
  const check = async () => {
    if (isChecking) return
    isChecking = true
    // Pages work without the check if its code cannot be loaded.
    await checkSamples().catch(() => {})
    isChecking = false
  }
  onAnswer(() => void check())
  await check()
}
