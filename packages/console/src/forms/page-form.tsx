import { type ReactNode, useId } from 'react'
import { type FieldValues, FormProvider, type UseFormReturn } from 'react-hook-form'
import { PageFormGuard } from '../page/page-form-guard.tsx'
import { cx } from '../ui/cx.ts'
import { useCodeView } from '../ui/code-view.tsx'
import { FormCode, useLiveErrors } from '../ui/form/form-state.tsx'
import type { Calls } from '../ui/server-state.ts'
import type { Meanwhile } from '../ui/form/side-modal-form.tsx'
import { PageFormBar } from './page-form-bar.tsx'

/** The call that a form makes. */
export type Saving<Values> = {
  onSubmit: (values: Values) => void
  loading: boolean
  submitError: Error | null
  /** Operation that the user's roles have to permit. */
  calls: Calls
  code: (values: Values) => ReactNode
  /** Of an edited resource that others change. */
  meanwhile?: Meanwhile
}

type PageFormProps<Values extends FieldValues> = {
  form: UseFormReturn<Values>
  saving: Saving<Values>
  /** Label of the submit button. */
  submit: string
  /** Path of the page to which Cancel leads. */
  back: string
  /** It was saved, and the page is about to be left. */
  done: boolean
  /** A preview beside the fields, which otherwise have the page to themselves. */
  preview?: ReactNode
  children: ReactNode
}

/** A form that is a page, below its header. */
export function PageForm<Values extends FieldValues>(props: PageFormProps<Values>) {
  const { form, saving, submit, back, done, preview, children } = props
  const codeView = useCodeView(() => <FormCode form={form} code={saving.code} />)
  useLiveErrors(form)
  const id = useId()
  return (
    <>
      <div
        className={cx(
          'grid min-w-0 gap-x-8 gap-y-6 px-(--gutter) pb-6',
          preview !== undefined && 'xl:grid-cols-2',
        )}
      >
        <form
          id={id}
          autoComplete="off"
          noValidate
          onSubmit={(event) => void form.handleSubmit(saving.onSubmit)(event)}
          className="flex max-w-[44rem] min-w-0 flex-col gap-5"
        >
          <FormProvider {...form}>{children}</FormProvider>
        </form>
        {preview}
      </div>
      <PageFormBar
        form={id}
        submit={submit}
        calls={saving.calls}
        pending={saving.loading || done}
        back={back}
        code={codeView}
        error={saving.submitError}
        meanwhile={saving.meanwhile}
      />
      <PageFormGuard active={form.formState.isDirty && !done} />
    </>
  )
}
