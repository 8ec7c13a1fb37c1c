import { useConnectionLost } from '../data/connection.ts'
import { ApiError, isNoAnswer, messageOf } from '../data/errors.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Mono } from '../ui/text.tsx'

/**
 * Above data that is still shown after refreshing it has failed. That there is no connection is said
 * once, by the shell.
 */
export function QueryError({ error, onRetry }: { error: unknown; onRetry: () => unknown }) {
  const lost = useConnectionLost() !== undefined
  if (!error || (lost && isNoAnswer(error))) return null
  const requestId = error instanceof ApiError ? error.requestId : undefined
  return (
    <Banner
      variant="error"
      title="Could not refresh"
      className="mx-(--gutter) mb-4"
      action={
        <Button size="sm" onClick={() => onRetry()}>
          Try again
        </Button>
      }
    >
      {messageOf(error)}
      {requestId && (
        <>
          {' '}
          (request <Mono>{requestId}</Mono>)
        </>
      )}
    </Banner>
  )
}
