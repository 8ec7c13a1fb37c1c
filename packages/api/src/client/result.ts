export interface ApiErrorBody {
  message?: string
  errorCode?: string
  requestId?: string
}

/** Result of a call. `client_error`: the answer could not be read as JSON. */
export type ApiResult<T> =
  | { type: 'success'; status: number; headers: Headers; data: T }
  | { type: 'error'; status: number; headers: Headers; data: ApiErrorBody }
  | { type: 'client_error'; status: number; headers: Headers; text: string; error: Error }
