import { addToast } from '../../ui/toasts.tsx'

export const saidOfGateway = (what: string, name: string, done: string) =>
  addToast({
    content: (
      <>
        {what} <b>{name}</b> {done}
      </>
    ),
  })
