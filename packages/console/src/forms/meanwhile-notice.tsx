import type { ReactNode } from 'react'
import { Banner } from '../ui/banner.tsx'
import { cx } from '../ui/cx.ts'

type Props = {
  /** Subject of the change, e.g. `The rules were changed meanwhile`. */
  title: string
  action?: ReactNode
  children: ReactNode
}

/** Notice of others' changes while a form was open. */
export const MeanwhileNotice = ({ title, action, children }: Props) => (
  <Banner variant="notice" title={title} action={action}>
    {children}
    <p>Your input is kept.</p>
  </Banner>
)

/** The same in the bar of a full-page form, where it moves nothing. */
export const MeanwhileBar = ({ notice }: { notice?: ReactNode }) => (
  <div
    role="status"
    className={cx(Boolean(notice) && 'max-h-[40vh] overflow-y-auto px-(--gutter) pt-3')}
  >
    {notice}
  </div>
)
