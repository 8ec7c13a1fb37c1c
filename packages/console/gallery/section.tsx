import { useId, type ReactNode } from 'react'

/** A section of the gallery, with its heading and a picture in the tests. */
export type GallerySection = { id: string; title: string; Content: () => ReactNode }

/** A component in one or more states, side by side, with the name of the state above. */
export function Specimen({ name, children }: { name: string; children: ReactNode }) {
  const id = useId()
  return (
    <div role="group" aria-labelledby={id} className="flex min-w-0 flex-col gap-2">
      <span id={id} className="text-xs text-tertiary">
        {name}
      </span>
      <div className="flex min-w-0 flex-wrap items-center gap-3">{children}</div>
    </div>
  )
}

/** Specimens in columns of equal width. */
export const Columns = ({ children }: { children: ReactNode }) => (
  <div className="grid grid-cols-3 items-start gap-6 max-lg:grid-cols-2 max-sm:grid-cols-1">
    {children}
  </div>
)

/** Components as wide as a page, such as tables, which bring their own margins. */
export function Wide({ name, children }: { name: string; children: ReactNode }) {
  const id = useId()
  return (
    <div role="group" aria-labelledby={id} className="-mx-(--gutter) flex min-w-0 flex-col">
      <span id={id} className="px-(--gutter) pb-2 text-xs text-tertiary">
        {name}
      </span>
      {children}
    </div>
  )
}
