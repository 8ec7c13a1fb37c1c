import { CircleSlash, RotateCw, TriangleAlert, Unplug } from 'lucide-react'
import { Suspense, useState, type ReactNode, useEffect } from 'react'
import { ApiError, isNoAnswer, isNotOffered, GoneError } from '../data/errors.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorDetails, RequestId } from '../ui/error-details.tsx'
import { lazyPart } from '../ui/lazy-part.ts'

type LoadErrorProps = {
  /** Subject of the sentence: `The disks`. */
  what: string
  error: unknown
  onRetry: () => Promise<unknown>
  children?: ReactNode
}

const ErrorHelp = lazyPart(() =>
  import('../ui/docs-links.tsx').then((module) => ({ default: module.ErrorHelp })),
)

const icon = { size: 20, strokeWidth: 1.5, 'aria-hidden': true } as const

const NoAccess = lazyPart(() =>
  import('./no-access.tsx').then((module) => ({ default: module.NoAccess })),
)

/** Replaces content that could not be loaded with the reason and a retry. */
export function LoadError(props: LoadErrorProps) {
  const { what, error, children } = props
  if (isNotOffered(error)) {
    return (
      <div role="alert">
        <EmptyState
          icon={<CircleSlash {...icon} className="text-tertiary" />}
          title="Not available here"
          body={`${what} could not be loaded, because this control plane does not offer that.`}
        >
          {children}
        </EmptyState>
      </div>
    )
  }
  return error instanceof ApiError && error.statusCode === 403 ? (
    <Suspense>
      <NoAccess what={what} error={error}>
        {children}
      </NoAccess>
    </Suspense>
  ) : (
    <Failure {...props} />
  )
}

function Failure({ what, error: thrown, onRetry, children }: LoadErrorProps) {
  const error = useExplained(thrown)
  const failure = error instanceof ApiError ? error : undefined
  const cutOff = isNoAnswer(error)
  const [trying, setTrying] = useState(false)
  const retry = async () => {
    setTrying(true)
    await onRetry().catch(() => {})
    setTrying(false)
  }
  return (
    <div role="alert">
      <EmptyState
        icon={
          cutOff ? (
            <Unplug {...icon} className="text-amber-text" />
          ) : (
            <TriangleAlert {...icon} className="text-red-text" />
          )
        }
        title={cutOff ? 'No connection' : 'Something went wrong'}
        body={
          <>
            {what} could not be loaded. {failure && `${failure.message}.`}{' '}
            {cutOff
              ? 'It loads as soon as the connection is back.'
              : 'If this keeps happening, contact your administrator.'}{' '}
            {failure && (
              <Suspense>
                <ErrorHelp status={failure.statusCode} />
              </Suspense>
            )}
          </>
        }
        action={
          <Button
            icon={<RotateCw size={14} strokeWidth={1.5} aria-hidden />}
            loading={trying}
            onClick={() => void retry()}
          >
            Try again
          </Button>
        }
      >
        {failure?.requestId && (
          <div className="mt-3">
            <RequestId id={failure.requestId} />
          </div>
        )}
        {failure?.details && <ErrorDetails text={failure.details} />}
        {children}
      </EmptyState>
    </div>
  )
}

/** The cause of a failure: the error itself or, once found, the misfit answer behind it. */
export function useExplained(error: unknown): unknown {
  const [found, setFound] = useState<ApiError>()
  useEffect(() => {
    if (error instanceof ApiError || error instanceof GoneError) return
    // Bugs are for the browser's console.
    console.error(error)
    import('./misfit-notice.tsx')
      .then(({ explanation }) => explanation())
      // The code cannot be loaded either.
      .then(setFound, () => {})
  }, [error])
  return found ?? error
}

const OtherRoles = lazyPart(() =>
  import('./other-roles.tsx').then((module) => ({ default: module.OtherRoles })),
)

/** After a refusal: the user's roles elsewhere, or a notice about having none at all. */
export const RoleNotice = ({ error }: { error: unknown }) =>
  error instanceof ApiError && error.statusCode === 403 ? (
    <Suspense>
      <OtherRoles />
    </Suspense>
  ) : null
