// The kinds of floods, by their names. Each lasts as long as its thread.
import type { Flood } from './flood.ts'
import { requestFloods } from './request-floods.ts'
import { socketFloods } from './socket-floods.ts'
import { unreadFloods } from './unread-floods.ts'

export const floods: Readonly<Record<string, Flood>> = { ...socketFloods, ...unreadFloods, ...requestFloods }
