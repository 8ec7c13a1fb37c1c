import { ChevronRight, CircleAlert } from 'lucide-react'

type JsonPreviewProps = {
  title: string
  /** Undefined while it cannot be shown. */
  value: unknown
  /** The reason. */
  problem: string | undefined
}

/** A request as JSON beside a form, or the reason why there is none yet. */
export function JsonPreview({ title, value, problem }: JsonPreviewProps) {
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-2 xl:mt-0.5">
      <h2 className="font-medium">{title}</h2>
      {problem !== undefined && (
        <p className="flex items-start gap-1.5 text-secondary">
          <CircleAlert size={16} strokeWidth={1.5} aria-hidden className="mt-0.5 shrink-0" />
          <span className="min-w-0 wrap-anywhere">{problem}</span>
        </p>
      )}
      {value !== undefined && (
        <pre
          dir="ltr"
          // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
          tabIndex={0}
          className="max-h-[70vh] overflow-auto rounded-card border bg-sunken p-3 font-mono text-xs"
        >
          {JSON.stringify(value, null, 2)}
        </pre>
      )}
    </section>
  )
}

/** The same below a form for people who need not know it: folded until they ask. */
export const FoldedJson = (props: JsonPreviewProps) => (
  <details className="group">
    <summary className="focus-inset flex w-fit cursor-pointer list-none items-center gap-1 rounded-control pe-2 text-secondary hover:text-primary [&::-webkit-details-marker]:hidden">
      <ChevronRight
        size={16}
        strokeWidth={1.5}
        aria-hidden
        className="transition-transform group-open:rotate-90"
      />
      Show as JSON
    </summary>
    <div className="mt-3">
      <JsonPreview {...props} />
    </div>
  </details>
)
