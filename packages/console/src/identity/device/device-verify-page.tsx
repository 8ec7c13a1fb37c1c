import { formatUserCode, USER_CODE_LENGTH } from '@steading/api/rules'
import { useNavigate } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { useApiMutation } from '../../data/api.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBoxes } from './code-boxes.tsx'
import { DeviceFrame } from './device-frame.tsx'

const empty = Array.from({ length: USER_CODE_LENGTH }, () => '')

/** Where a user enters the code that a device shows, which is signed in with it. */
export function DeviceVerifyPage() {
  const id = useId()
  const navigate = useNavigate()
  const [letters, setLetters] = useState(empty)
  const { mutate, reset, isPending, isSuccess, error } = useApiMutation('deviceAuthConfirm', {
    expected: [400, 404, 429],
    onSuccess: () => navigate({ to: '/device/success' }),
  })
  const complete = letters.every(Boolean)
  return (
    <DeviceFrame title="Device Authentication">
      <p className="mb-6 text-secondary">Enter the code shown on your device</p>
      <form
        noValidate
        className="flex flex-col items-center"
        onSubmit={(event) => {
          event.preventDefault()
          if (!complete || isPending || isSuccess) return
          mutate({ body: { userCode: formatUserCode(letters.join('')) } })
        }}
      >
        <CodeBoxes
          letters={letters}
          errorId={error ? id : undefined}
          onChange={(changed) => {
            reset()
            setLetters(changed)
          }}
        />
        <div id={id} aria-live="assertive" className="my-2 min-h-lh text-red-text">
          {error && (error.statusCode === 404 ? 'Code is invalid' : error.message)}
        </div>
        <Button
          type="submit"
          variant="primary"
          className="h-10! w-full"
          loading={isPending}
          disabled={!complete || isPending || isSuccess}
        >
          Log in on device
        </Button>
      </form>
      <p className="mt-6 text-xs text-balance text-tertiary">
        Enter only the code of a device that you use yourself. It will be able to do what you can do
        here.
      </p>
    </DeviceFrame>
  )
}
