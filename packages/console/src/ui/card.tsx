import { useId, type ReactNode } from 'react'

type CardProps = {
  title: string
  description?: ReactNode
  /** Buttons at the right of the heading. */
  actions?: ReactNode
  /** A table fills the card; anything else brings its own padding (`CardBody`). */
  children?: ReactNode
}

/** A section of a page with its own heading. Inside, `--gutter` is the card's padding. */
export function Card({ title, description, actions, children }: CardProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="card mx-(--gutter) overflow-clip rounded-card border bg-raised"
    >
      <header className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5 not-last:border-b">
        <div className="min-w-0 flex-1 basis-48">
          <h2 id={id} className="text-lg font-semibold tracking-[-0.01em]">
            {title}
          </h2>
          {description && <p className="text-secondary">{description}</p>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {children && <div className="[--gutter:16px]">{children}</div>}
    </section>
  )
}

export const CardBody = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-col gap-4 p-4">{children}</div>
)

/** Placeholder of a card that has nothing to list. */
export const CardEmpty = ({ title, body }: { title: string; body?: ReactNode }) => (
  <div className="flex flex-col items-center gap-0.5 px-4 py-8 text-center">
    <h3 className="font-medium">{title}</h3>
    {body && <p className="max-w-md text-balance text-secondary">{body}</p>}
  </div>
)
