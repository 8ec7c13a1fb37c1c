import { Link, type ErrorComponentProps, type NotFoundRouteProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ArrowLeft } from 'lucide-react'
import { ApiError, isMissing, isNoAnswer } from '../data/errors.ts'
import { signOut } from '../data/session.ts'
import { RequestId, ErrorDetails } from '../ui/error-details.tsx'
import { RoleNotice, useExplained } from '../page/load-error.tsx'
import { Button } from '../ui/button.tsx'
import { Logo } from '../ui/logo.tsx'
import { useRetry } from './use-retry.ts'

function ErrorFrame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col pt-(--banner-height)">
      <header className="flex h-12 items-center justify-between border-b px-4">
        <Link
          to="/"
          className="flex items-center gap-1.5 rounded-sm text-secondary hover:text-primary"
        >
          <ArrowLeft size={16} strokeWidth={1.5} aria-hidden />
          Back to console
        </Link>
        <Button variant="ghost" onClick={() => void signOut()}>
          Sign out
        </Button>
      </header>
      <main id="content" tabIndex={-1} className="flex flex-1 items-center justify-center p-4">
        <div className="flex w-full max-w-md flex-col items-center gap-2 rounded-card border bg-raised px-8 py-10 text-center">
          <Logo size={28} className="mb-3 text-accent-text" />
          <h1 className="text-lg font-semibold">{title}</h1>
          {children}
        </div>
      </main>
    </div>
  )
}

/** @param data the reason why there is no such page here, if it is known */
export function NotFoundPage({ data }: Partial<NotFoundRouteProps>) {
  const reason = typeof data === 'string' ? data : undefined
  return (
    <ErrorFrame title={reason ? 'Not available' : 'Page not found'}>
      <title>Steading Console</title>
      <p className="text-balance text-secondary">
        {reason ?? "The page you are looking for doesn't exist or you may not have access to it."}
      </p>
    </ErrorFrame>
  )
}

/** Error page without the shell: the user could not be loaded, or the shell itself has failed. */
export function ErrorPage({ error: thrown }: ErrorComponentProps) {
  const error = useExplained(thrown)
  const retry = useRetry(error)
  const failure = error instanceof ApiError ? error : undefined
  if (isMissing(error)) return <NotFoundPage />
  const cutOff = isNoAnswer(error)
  return (
    <ErrorFrame title={cutOff ? 'No connection' : 'Something went wrong'}>
      <p className="text-balance text-secondary">
        {cutOff
          ? 'The server cannot be reached. This page loads as soon as it is back.'
          : `${failure?.details ? `${failure.message}. ` : ''}Please try again. If the problem persists, contact your administrator.`}
      </p>
      {failure?.requestId && (
        <div className="mt-2">
          <RequestId id={failure.requestId} />
        </div>
      )}
      {failure?.details && <ErrorDetails text={failure.details} />}
      <Button className="mt-4" onClick={() => void retry()}>
        Try again
      </Button>
      <RoleNotice error={error} />
    </ErrorFrame>
  )
}
