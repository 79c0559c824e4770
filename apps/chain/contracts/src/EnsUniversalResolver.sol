// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IAddr, IAddress, IEns, IExtendedResolver, IName, OffchainLookup} from './Ens.sol';

/// ENSIP-21: batched gateway requests.
interface IBatchGateway {
    struct Query {
        address sender;
        string[] urls;
        bytes data;
    }

    function query(Query[] calldata queries)
        external
        view
        returns (bool[] memory failures, bytes[] memory responses);
}

/// Resolves a name to a record, or an address to its name (ENSIP-23), in one call, for on-chain and
/// off-chain resolvers. Compatible with clients of the ENS universal resolver.
contract EnsUniversalResolver {
    /// A pending gateway request: its resolver, and how to continue with the response.
    struct Pending {
        address resolver;
        bool extended;
        bytes4 callback;
        bytes extraData;
        string[] gateways;
        bytes goal;
    }

    /// State of a reverse lookup during its second half, which verifies that the name resolves to the address.
    struct Claim {
        bytes account;
        uint256 coinType;
        string name;
        address reverseResolver;
        address resolver;
    }

    uint256 private constant ETHER = 60;

    IEns public immutable ens;

    error DNSDecodingFailed(bytes dns);
    error DNSEncodingFailed(string ens);
    error EmptyAddress();
    error HttpError(uint16 status, string message);
    error InvalidBatchGatewayResponse();
    error ResolverError(bytes errorData);
    error ResolverNotContract(bytes name, address resolver);
    error ResolverNotFound(bytes name);
    error ReverseAddressMismatch(string primary, bytes primaryAddress);
    error UnsupportedResolverProfile(bytes4 selector);

    constructor(IEns ens_) {
        ens = ens_;
    }

    /// @param name DNS-encoded
    /// @param data a resolver call (`addr`, `text`, …) for that name
    /// @param gateways batch gateways; if empty, the client batches (`x-batch-gateway:true`)
    function resolveWithGateways(bytes calldata name, bytes calldata data, string[] memory gateways)
        external
        view
        returns (bytes memory result, address resolver)
    {
        bool extended;
        (resolver, extended) = _resolverOf(name);
        result = _ask(resolver, extended, name, data, gateways, this.resolveCallback.selector, '');
    }

    function resolveCallback(bytes calldata response, bytes calldata extraData)
        external
        view
        returns (bytes memory result, address resolver)
    {
        Pending memory pending = abi.decode(extraData, (Pending));
        return (_resume(pending, response, this.resolveCallback.selector), pending.resolver);
    }

    /// @param account the address as bytes; twenty bytes for coin type 60
    function reverseWithGateways(bytes calldata account, uint256 coinType, string[] memory gateways)
        external
        view
        returns (string memory name, address resolver, address reverseResolver)
    {
        if (account.length == 0) revert EmptyAddress();
        bytes memory reverseName = _reverseName(account, coinType);
        bool extended;
        (reverseResolver, extended) = _resolverOf(reverseName);
        Claim memory claim = Claim(account, coinType, '', reverseResolver, address(0));
        bytes memory answer = _ask(
            reverseResolver,
            extended,
            reverseName,
            abi.encodeCall(IName.name, (_namehash(reverseName, 0))),
            gateways,
            this.reverseNameCallback.selector,
            abi.encode(claim)
        );
        return _verify(claim, abi.decode(answer, (string)), gateways);
    }

    function reverseNameCallback(bytes calldata response, bytes calldata extraData)
        external
        view
        returns (string memory name, address resolver, address reverseResolver)
    {
        Pending memory pending = abi.decode(extraData, (Pending));
        bytes memory answer = _resume(pending, response, this.reverseNameCallback.selector);
        Claim memory claim = abi.decode(pending.goal, (Claim));
        return _verify(claim, abi.decode(answer, (string)), pending.gateways);
    }

    function reverseAddressCallback(bytes calldata response, bytes calldata extraData)
        external
        view
        returns (string memory name, address resolver, address reverseResolver)
    {
        Pending memory pending = abi.decode(extraData, (Pending));
        bytes memory answer = _resume(pending, response, this.reverseAddressCallback.selector);
        return _confirm(abi.decode(pending.goal, (Claim)), answer);
    }

    /// Finds the nearest resolver from `name` up to the root.
    /// @return resolver the zero address if there is none
    /// @return node of `name`
    /// @return offset in `name` at which the name or parent name with that resolver begins
    function findResolver(bytes memory name)
        public
        view
        returns (address resolver, bytes32 node, uint256 offset)
    {
        node = _namehash(name, 0);
        while (true) {
            resolver = ens.resolver(_namehash(name, offset));
            uint256 length = uint8(name[offset]);
            if (resolver != address(0) || length == 0) return (resolver, node, offset);
            offset += 1 + length;
        }
    }

    /// A parent's resolver applies only if it supports ENSIP-10.
    function _resolverOf(bytes memory name) private view returns (address resolver, bool extended) {
        uint256 offset;
        (resolver, , offset) = findResolver(name);
        if (resolver == address(0)) revert ResolverNotFound(name);
        if (resolver.code.length == 0) revert ResolverNotContract(name, resolver);
        (bool ok, bytes memory answer) = resolver.staticcall(
            abi.encodeWithSignature('supportsInterface(bytes4)', type(IExtendedResolver).interfaceId)
        );
        extended = ok && answer.length == 32 && uint256(bytes32(answer)) == 1;
        if (offset > 0 && !extended) revert ResolverNotFound(name);
    }

    function _ask(
        address resolver,
        bool extended,
        bytes memory name,
        bytes memory data,
        string[] memory gateways,
        bytes4 ownCallback,
        bytes memory goal
    ) private view returns (bytes memory) {
        if (gateways.length == 0) {
            gateways = new string[](1);
            gateways[0] = 'x-batch-gateway:true';
        }
        Pending memory pending = Pending(resolver, extended, bytes4(data), '', gateways, goal);
        return
            _call(
                pending,
                extended ? abi.encodeCall(IExtendedResolver.resolve, (name, data)) : data,
                ownCallback
            );
    }

    /// Passes a gateway response to the resolver that requested it. The resolver may request another one.
    function _resume(Pending memory pending, bytes calldata response, bytes4 ownCallback)
        private
        view
        returns (bytes memory)
    {
        (bool[] memory failures, bytes[] memory responses) =
            abi.decode(response, (bool[], bytes[]));
        if (failures.length != 1 || responses.length != 1) revert InvalidBatchGatewayResponse();
        if (failures[0]) {
            if (_selector(responses[0]) == HttpError.selector) _throw(responses[0]);
            revert ResolverError(responses[0]);
        }
        return
            _call(
                pending,
                abi.encodeWithSelector(pending.callback, responses[0], pending.extraData),
                ownCallback
            );
    }

    /// Calls the resolver. EIP-3668 only lets the called contract revert with OffchainLookup, so a
    /// resolver's lookup is wrapped in a batch request that remembers the resolver's callback.
    function _call(Pending memory pending, bytes memory data, bytes4 ownCallback)
        private
        view
        returns (bytes memory)
    {
        (bool ok, bytes memory answer) = pending.resolver.staticcall(data);
        if (ok) {
            if (answer.length == 0) revert UnsupportedResolverProfile(pending.callback);
            return pending.extended ? abi.decode(answer, (bytes)) : answer;
        }
        if (_selector(answer) != OffchainLookup.selector) revert ResolverError(answer);

        IBatchGateway.Query[] memory queries = new IBatchGateway.Query[](1);
        (queries[0].sender, queries[0].urls, queries[0].data, pending.callback, pending.extraData) =
            abi.decode(_tail(answer), (address, string[], bytes, bytes4, bytes));
        if (queries[0].sender != pending.resolver) revert ResolverError(answer);
        revert OffchainLookup(
            address(this),
            pending.gateways,
            abi.encodeCall(IBatchGateway.query, (queries)),
            ownCallback,
            abi.encode(pending)
        );
    }

    /// Verifies that the name resolves to the account, because anyone can claim any name.
    function _verify(Claim memory claim, string memory primary, string[] memory gateways)
        private
        view
        returns (string memory, address, address)
    {
        if (bytes(primary).length == 0) return ('', address(0), claim.reverseResolver);
        bytes memory name = _dnsEncode(primary);
        bool extended;
        (claim.resolver, extended) = _resolverOf(name);
        claim.name = primary;
        bytes32 node = _namehash(name, 0);
        bytes memory answer = _ask(
            claim.resolver,
            extended,
            name,
            claim.coinType == ETHER
                ? abi.encodeCall(IAddr.addr, (node))
                : abi.encodeCall(IAddress.addr, (node, claim.coinType)),
            gateways,
            this.reverseAddressCallback.selector,
            abi.encode(claim)
        );
        return _confirm(claim, answer);
    }

    function _confirm(Claim memory claim, bytes memory answer)
        private
        pure
        returns (string memory, address, address)
    {
        bytes memory account = claim.coinType == ETHER
            ? abi.encodePacked(abi.decode(answer, (address)))
            : abi.decode(answer, (bytes));
        if (keccak256(account) != keccak256(claim.account))
            revert ReverseAddressMismatch(claim.name, account);
        return (claim.name, claim.resolver, claim.reverseResolver);
    }

    /// ENSIP-19: `<address>.addr.reverse` on Ethereum, `<address>.<coin type>.reverse` elsewhere.
    function _reverseName(bytes calldata account, uint256 coinType)
        private
        pure
        returns (bytes memory)
    {
        bytes memory space = coinType == ETHER ? bytes('addr') : _digits(abi.encodePacked(coinType), true);
        bytes memory label = _digits(account, false);
        if (label.length > 255) revert EmptyAddress();
        return
            abi.encodePacked(
                uint8(label.length),
                label,
                uint8(space.length),
                space,
                uint8(7),
                'reverse',
                uint8(0)
            );
    }

    /// Lower-case hexadecimal, without leading zeros if `trimmed`.
    function _digits(bytes memory value, bool trimmed) private pure returns (bytes memory digits) {
        uint256 skipped;
        if (trimmed) {
            while (skipped < value.length * 2 - 1 && _nibble(value, skipped) == 0) skipped++;
        }
        digits = new bytes(value.length * 2 - skipped);
        for (uint256 i; i < digits.length; i++) {
            digits[i] = bytes16('0123456789abcdef')[_nibble(value, i + skipped)];
        }
    }

    function _nibble(bytes memory value, uint256 i) private pure returns (uint8) {
        uint8 pair = uint8(value[i / 2]);
        return i % 2 == 0 ? pair >> 4 : pair & 15;
    }

    function _namehash(bytes memory name, uint256 offset) private pure returns (bytes32) {
        if (offset >= name.length) revert DNSDecodingFailed(name);
        uint256 length = uint8(name[offset]);
        if (length == 0) {
            if (offset + 1 != name.length) revert DNSDecodingFailed(name);
            return 0;
        }
        if (offset + 1 + length >= name.length) revert DNSDecodingFailed(name);
        bytes32 label;
        assembly ('memory-safe') {
            label := keccak256(add(add(name, 33), offset), length)
        }
        return keccak256(abi.encodePacked(_namehash(name, offset + 1 + length), label));
    }

    function _dnsEncode(string memory name) private pure returns (bytes memory dns) {
        bytes memory text = bytes(name);
        dns = new bytes(text.length + 2);
        uint256 start;
        for (uint256 i; i <= text.length; i++) {
            if (i < text.length && text[i] != '.') {
                dns[i + 1] = text[i];
                continue;
            }
            if (i == start || i - start > 255) revert DNSEncodingFailed(name);
            dns[start] = bytes1(uint8(i - start));
            start = i + 1;
        }
    }

    function _selector(bytes memory data) private pure returns (bytes4) {
        return data.length < 4 ? bytes4(0) : bytes4(data);
    }

    function _tail(bytes memory data) private pure returns (bytes memory tail) {
        tail = new bytes(data.length - 4);
        for (uint256 i; i < tail.length; i++) tail[i] = data[i + 4];
    }

    function _throw(bytes memory data) private pure {
        assembly ('memory-safe') {
            revert(add(data, 32), mload(data))
        }
    }
}
