-- Prices of listed tokens over time, which the role `money` derives from pools.

create table price_samples (
  -- CAIP-2 id
  chain text not null,
  -- lower case
  token text not null,
  -- day, week or month
  period text not null,
  -- start of the step of the period, Unix time in ms
  step bigint not null,
  -- Unix time in ms of the price
  at bigint not null,
  -- US dollars for one whole token
  price double precision not null,
  primary key (chain, token, period, step)
);

create index price_samples_step on price_samples (period, step);
