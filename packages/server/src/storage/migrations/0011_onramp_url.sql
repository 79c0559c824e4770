-- The page on which an order is paid, so that a site can show it again after a reload. Empty for older orders.
alter table onramp_orders add column url text not null default '';
