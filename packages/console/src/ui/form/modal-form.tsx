import { useId, type FormEvent, type ReactNode } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { ErrorBanner } from '../banner.tsx'
import { Modal, ModalFooter, type ModalProps } from '../modal.tsx'
import { useNameClash, type SubmitError } from './side-modal-form.tsx'

type ModalFormProps<T extends FieldValues> = {
  form: UseFormReturn<T>
  title: string
  submitLabel: string
  onSubmit: (values: T) => void
  onDismiss: () => void
  loading: boolean
  submitError: SubmitError | null
  submitDisabledReason?: string | false | null
  /** Where the form itself says why. */
  submitDisabled?: boolean
  width?: ModalProps['width']
  children: ReactNode
}

/** A small form in a centred modal: error above the fields, no guard. */
export function ModalForm<T extends FieldValues>(props: ModalFormProps<T>) {
  const { form, title, submitLabel, onSubmit, onDismiss, loading, submitError, children } = props
  const id = useId()
  useNameClash(form, submitError)
  const submit = (event: FormEvent) => {
    event.stopPropagation()
    void form.handleSubmit(onSubmit)(event)
  }
  return (
    <Modal
      title={title}
      width={props.width}
      onDismiss={onDismiss}
      footer={
        <ModalFooter
          onDismiss={onDismiss}
          actionText={submitLabel}
          formId={id}
          loading={loading}
          disabled={props.submitDisabled}
          disabledReason={props.submitDisabledReason}
        />
      }
    >
      <form
        id={id}
        autoComplete="off"
        noValidate
        onSubmit={submit}
        className="flex flex-col gap-4 text-primary"
      >
        <ErrorBanner messages={submitError ? [submitError.message] : []} />
        {children}
      </form>
    </Modal>
  )
}
