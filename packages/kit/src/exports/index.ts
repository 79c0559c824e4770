export { createGatefold } from './createGatefold.ts'
export { cookieStorage, gatefoldCookie, memoryStorage } from '../core/storage/storage.ts'
export type { FamilyParameters } from '../core/connection/account.ts'
export type {
  Actions,
  Adapter,
  AdapterContext,
  AdapterEvent,
  AdapterFactory,
  AddressOnNetwork,
  Balance,
  Call,
  CallsState,
  Capabilities,
  ConnectorParameters,
  Identity,
  ParsedAddress,
  PermitTerms,
  PreparedTransfer,
  Receipt,
  SwapCall,
  TokenOwner,
  TransactionMark,
  TransactionRequest,
  TransactionState,
  TransferRequest,
  TypedData,
  WriteContractRequest,
} from '../core/connection/Adapter.ts'
export type { Attempt } from '../core/connection/attempt.ts'
export type { ChainState, ConnectionStatus } from '../core/connection/chainState.ts'
export type { Account, AccountType, Connection } from '../core/connection/Connection.ts'
export type {
  ConnectorContext,
  ConnectorFactory,
  ConnectorInfo,
  ConnectorType,
  ConnectParameters,
  ConnectProgress,
  Connector,
  SessionConnector,
  WalletApp,
} from '../core/connection/Connector.ts'
export type {
  Session,
  SessionEndReason,
  SessionEvent,
  SessionGrant,
  SessionState,
} from '../core/connection/Session.ts'
export type {
  KitEvent,
  KitEventListener,
  KitEventName,
  KitEventProperties,
  SocialLoginFailureProperties,
  SocialLoginProperties,
} from '../core/analytics/events.ts'
export type { ThemeMode, ThemeState, ThemeVariables } from '../core/appearance/theme.ts'
export type {
  ConnectMethod,
  ConnectorGroup,
  FeatureOptions,
  RemoteFeatures,
  WalletFeature,
} from '../core/features/features.ts'
export type { ConnectedAccount, Kit, OpenParameters } from '../core/kit/Kit.ts'
export type { GatefoldOptions, Prefetch } from '../core/kit/options.ts'
export type { Endpoints, Metadata } from '../core/kit/site.ts'
export type { State, Suggestions, Switching, Toast, ToastVariant } from '../core/kit/state.ts'
export type { Preferences } from '../core/kit/preferences.ts'
export type {
  Currency,
  Explorer,
  Network,
  NetworkAssets,
  NetworkInput,
  RpcUrls,
} from '../core/networks/Network.ts'
export type { Alert, AlertCode, AlertEvent, AlertLevel } from '../core/notifications/alerts.ts'
export type { ToastText } from '../core/notifications/toasts.ts'
export { IncompleteTransferError, UnsupportedChainError } from '../core/money/transfer.ts'
export type { Activity, ActivityPage } from '../core/money/activity.ts'
export type { Transfer } from '../core/money/ActivityTransfer.ts'
export { NotReplacedError } from '../core/money/pending/NotReplacedError.ts'
export type { PendingTransaction } from '../core/money/pending/PendingTransaction.ts'
export type { Nft, NftAttribute, NftCursor, NftPage } from '../core/money/nfts.ts'
export type {
  OnrampOrder,
  OnrampQuote,
  OnrampQuotes,
  OnrampRefusal,
  OnrampRequest,
} from '../core/money/onramp/onramp.ts'
export type {
  OnrampCurrency,
  OnrampMethod,
  OnrampOptions,
  OnrampProvider,
  OnrampToken,
} from '../core/money/onramp/options.ts'
export type { PriceHistory, PricePeriod } from '../core/money/priceHistory.ts'
export type { Token, TokenList } from '../core/money/tokens.ts'
export type { NameCheck } from '../core/names/checkName.ts'
export type { AccountNames } from '../core/names/names.ts'
export * from '../core/names/errors.ts'
export type { KeyValueStorage, RequestCookies } from '../core/storage/storage.ts'
export type { SendDraft } from '../core/view/ViewData.ts'
export type {
  BuyArguments,
  SwapArguments,
  ViewData,
  ViewEntry,
  ViewName,
  ViewState,
} from '../core/view/view.ts'
export type { WalletListing, WalletPage } from '../core/wallets/WalletListing.ts'
export * from '../core/kit/errors.ts'
export * from '../core/kit/requestErrors.ts'
export * from '../core/kit/kitErrors.ts'
