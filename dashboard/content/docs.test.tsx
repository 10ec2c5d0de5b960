import { expect, it } from 'vitest'
import { errors, type ErrorCode } from '../../contract/core/errors.ts'
import { sendMailWithKeyApi } from '../../contract/mail/message.ts'
import { commonErrors } from '../../contract/core/operation.ts'
import { sendErrors } from './docs.ts'

it('the documentation lists every error of the public send call, with its status and its message', () => {
  const codes: readonly ErrorCode[] = [...sendMailWithKeyApi.errors, ...commonErrors(sendMailWithKeyApi)]
  expect(sendErrors.map(({ code }) => code).toSorted()).toEqual([...new Set(codes)].toSorted())
  for (const { code, status, sentence } of sendErrors) expect(errors[code]).toEqual({ status, sentence })
})
