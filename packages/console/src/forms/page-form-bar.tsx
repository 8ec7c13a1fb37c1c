import { CircleX } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { BottomBar } from '../ui/bottom-bar.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import type { useCodeView } from '../ui/code-view.tsx'
import type { Meanwhile } from '../ui/form/side-modal-form.tsx'
import { MeanwhileBar } from './meanwhile-notice.tsx'

type PageFormBarProps = Pick<ComponentProps<typeof Button>, 'calls' | 'disabledReason'> & {
  /** Id of the form. */
  form: string
  /** Label of the submit button. */
  submit: string
  pending: boolean
  /** Path of the page to which Cancel leads. */
  back: string
  code: ReturnType<typeof useCodeView>
  error: Error | null
  /** Of an edited resource that others change. */
  meanwhile?: Meanwhile | undefined
  /** Content above the buttons. */
  children?: ReactNode
}

/** The bar at the bottom of a form that is a page. */
export const PageFormBar = (props: PageFormBarProps) => {
  const { form, submit, calls, pending, back, code, error, meanwhile, children } = props
  return (
    <BottomBar>
      {'meanwhile' in props && <MeanwhileBar {...meanwhile} />}
      {code.view && <div className="border-b">{code.view}</div>}
      {children}
      <div className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 px-(--gutter) py-2.5">
        <Button
          variant="primary"
          type="submit"
          calls={calls}
          form={form}
          loading={pending}
          disabledReason={meanwhile?.reason ?? props.disabledReason}
        >
          {submit}
        </Button>
        <LinkButton to={back as '/'}>Cancel</LinkButton>
        {code.toggle}
        <div aria-live="assertive" className="min-w-0 flex-1 basis-48">
          {error && !pending && (
            <span className="flex items-start gap-1.5 text-red-text">
              <CircleX size={16} strokeWidth={1.5} aria-hidden className="mt-0.5 shrink-0" />
              <span className="min-w-0 whitespace-pre-wrap wrap-anywhere">{error.message}</span>
            </span>
          )}
        </div>
      </div>
    </BottomBar>
  )
}
