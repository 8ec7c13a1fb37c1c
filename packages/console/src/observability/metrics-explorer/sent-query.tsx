import { QueryText } from '../timeseries/query-text.tsx'

type SentQueryProps = { query: string | undefined; isTimed: boolean | undefined }

/** How the range has become a part of the query. Its line has its room before the answer is there. */
export const SentQuery = ({ query, isTimed }: SentQueryProps) => (
  <details className="min-w-0 text-xs text-secondary">
    <summary className="w-fit rounded-sm">
      {isTimed === false
        ? 'The query says its own time, so the range is not added to it.'
        : 'The range is added to the query as a filter on timestamp.'}{' '}
      <span className="text-accent-text">Show what is sent</span>
    </summary>
    <pre className="mt-2 rounded-control border bg-sunken p-3 font-mono text-xs/5 break-words whitespace-pre-wrap text-primary">
      {query !== undefined && <QueryText text={query} />}
    </pre>
  </details>
)
