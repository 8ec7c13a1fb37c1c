import { useId, type FormEvent, type ReactNode } from 'react'
import { type FieldValues, FormProvider, type UseFormReturn } from 'react-hook-form'
import { ErrorBanner } from '../banner.tsx'
import { useCodeView } from '../code-view.tsx'
import { Modal, ModalFooter, type ModalProps } from '../modal.tsx'
import { FormCode, useLiveErrors } from './form-state.tsx'
import type { Calls } from '../server-state.ts'
import { type Meanwhile, useNameClash, type SubmitError } from './side-modal-form.tsx'

type ModalFormProps<T extends FieldValues> = {
  form: UseFormReturn<T>
  title: string
  submitLabel: string
  onSubmit: (values: T) => void
  onDismiss: () => void
  loading: boolean
  submitError: SubmitError | null
  submitDisabledReason?: string | false | null
  meanwhile?: Meanwhile
  /** Operation that the user's roles have to permit. */
  calls?: Calls
  /** False if the form only adds to another one and sends nothing itself. */
  sends?: boolean
  /** Disables the submit button without a reason, which the form itself shows. */
  submitDisabled?: boolean
  width?: ModalProps['width']
  /** Renders the request as code. */
  code?: (values: T) => ReactNode
  children: ReactNode
}

/** A small form in a centred modal: errors above the fields, no guard. */
export function ModalForm<T extends FieldValues>(props: ModalFormProps<T>) {
  const { form, title, submitLabel, onSubmit, onDismiss, loading, submitError, children } = props
  const { code } = props
  const codeView = useCodeView(code && (() => <FormCode form={form} code={code} />))
  const id = useId()
  useNameClash(form, submitError)
  useLiveErrors(form)
  const submit = (event: FormEvent) => {
    event.stopPropagation()
    void form.handleSubmit(onSubmit)(event)
  }
  return (
    <Modal
      title={title}
      width={codeView.open ? 'wide' : props.width}
      onDismiss={onDismiss}
      above={codeView.view}
      notice={props.meanwhile?.notice}
      footer={
        <ModalFooter
          onDismiss={onDismiss}
          actionText={submitLabel}
          formId={id}
          loading={loading}
          disabled={props.submitDisabled}
          disabledReason={props.meanwhile?.reason || props.submitDisabledReason}
          calls={props.calls}
          sends={props.sends}
        >
          {codeView.toggle}
        </ModalFooter>
      }
    >
      <form
        id={id}
        autoComplete="off"
        noValidate
        onSubmit={submit}
        className="flex flex-col gap-4 text-primary"
      >
        <ErrorBanner
          messages={submitError ? [submitError.message] : []}
          details={submitError?.details}
        />
        <FormProvider {...form}>{children}</FormProvider>
      </form>
    </Modal>
  )
}
