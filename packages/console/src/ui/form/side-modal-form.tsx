import { useEffect, useId, useState, type FormEvent, type ReactNode } from 'react'
import { type FieldValues, FormProvider, type Path, type UseFormReturn } from 'react-hook-form'
import { Button } from '../button.tsx'
import { useCodeView } from '../code-view.tsx'
import { Modal, ModalFooter } from '../modal.tsx'
import type { Calls } from '../server-state.ts'
import { SideModal } from '../side-modal.tsx'
import { FormCode, useLiveErrors } from './form-state.tsx'

export type SubmitError = {
  message: string
  errorCode?: string | null
  /** For developers, shown on request. */
  details?: string
}

/** Others' changes since the form was opened. */
export type Meanwhile = {
  notice: ReactNode
  /** Reason why submitting is disabled until the user has reviewed them. */
  reason: string
}

/** Edit forms report others' changes (`forms/use-edit-form.tsx`). */
type FormType =
  | { formType: 'create'; meanwhile?: undefined }
  | { formType: 'edit'; meanwhile: Meanwhile | undefined }

type SideModalFormProps<T extends FieldValues> = FormType & {
  form: UseFormReturn<T>
  /** Resource that the form creates or edits, e.g. `project`. */
  resource: string
  title?: string
  submitLabel?: string
  subtitle?: ReactNode
  star?: ReactNode
  onSubmit: (values: T) => void
  /** Closes the panel, after the guard of a dirty form. */
  onDismiss: () => void
  loading: boolean
  submitError: SubmitError | null
  submitDisabledReason?: string | false | null
  /** Operation that the user's roles have to permit. */
  calls?: Calls
  /** False if the form only adds to another one and sends nothing itself. */
  sends?: boolean
  /** Renders the request as code. */
  code?: (values: T) => ReactNode
  children: ReactNode
}

export function SideModalForm<T extends FieldValues>(props: SideModalFormProps<T>) {
  const { form, formType, resource, onSubmit, onDismiss, loading, submitError, children } = props
  const title = props.title ?? `${formType === 'edit' ? 'Edit' : 'Create'} ${resource}`
  const submitLabel = props.submitLabel ?? (formType === 'edit' ? `Update ${resource}` : title)
  const id = useId()
  const [asking, setAsking] = useState(false)
  const { isDirty } = form.formState
  const { code } = props
  const codeView = useCodeView(code && (() => <FormCode form={form} code={code} />))
  useNameClash(form, submitError)
  useLiveErrors(form)

  const submit = (event: FormEvent) => {
    // React events bubble through portals: a nested form must not submit the outer one.
    event.stopPropagation()
    void form.handleSubmit(onSubmit)(event)
  }
  return (
    <SideModal
      title={title}
      subtitle={props.subtitle}
      star={props.star}
      onDismiss={() => (isDirty ? setAsking(true) : onDismiss())}
      errors={submitError ? [submitError.message] : []}
      errorDetails={submitError?.details}
      above={codeView.view}
      notice={props.meanwhile?.notice}
      aside={codeView.toggle}
      footer={
        <>
          <Button onClick={onDismiss}>Cancel</Button>
          <Button
            variant="primary"
            type="submit"
            form={id}
            loading={loading}
            disabledReason={props.meanwhile?.reason || props.submitDisabledReason}
            calls={props.calls}
            sends={props.sends}
          >
            {submitLabel}
          </Button>
        </>
      }
    >
      <form id={id} autoComplete="off" noValidate onSubmit={submit} className="flex flex-col gap-5">
        <FormProvider {...form}>{children}</FormProvider>
      </form>
      {asking && (
        <NavigationGuardModal
          question="Are you sure you want to leave this form?"
          stayLabel="Keep editing"
          leaveLabel="Leave form"
          onStay={() => setAsking(false)}
          onLeave={onDismiss}
        />
      )}
    </SideModal>
  )
}

/** Shows a taken name as an error of the name field, besides the banner. */
export function useNameClash<T extends FieldValues>(
  form: UseFormReturn<T>,
  submitError: SubmitError | null,
) {
  const taken = submitError?.errorCode === 'ObjectAlreadyExists'
  useEffect(() => {
    const name = 'name' as Path<T>
    if (!taken || !('name' in form.getValues())) return
    form.setError(name, { message: 'Name already exists' })
    form.setFocus(name)
    document.activeElement?.scrollIntoView({ block: 'center' })
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once per failed submission
  }, [submitError])
}

type GuardProps = {
  question: string
  stayLabel: string
  leaveLabel: string
  onStay: () => void
  onLeave: () => void
}

export function NavigationGuardModal(props: GuardProps) {
  const { question, stayLabel, leaveLabel, onStay, onLeave } = props
  return (
    <Modal
      title="Confirm navigation"
      width="narrow"
      onDismiss={onStay}
      footer={
        <ModalFooter
          onDismiss={onStay}
          cancelText={stayLabel}
          actionText={leaveLabel}
          danger
          onAction={onLeave}
        />
      }
    >
      <p>{question}</p>
      <p>All progress will be lost.</p>
    </Modal>
  )
}
